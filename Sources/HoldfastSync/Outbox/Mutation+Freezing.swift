extension SyncRules {
    /// After so many conflicts in a row a mutation is written whatever the base.
    package static let patience = 3

    /// What a mutation writes whatever the base: what arrives last wins there, or has to arrive at
    /// last.
    package func force(of mutation: Mutation) -> PushOperation.Force {
        mutation.force.union(isDue(mutation) ? last(of: mutation) : first(of: mutation.change))
    }

    /// What the server may do with a mutation on another base.
    ///
    /// Where a policy must not be passed over it may do nothing, at first. A mutation that meets
    /// other changes again and again may be merged with them: its own fields are still compared.
    package func merge(of mutation: Mutation) -> PushOperation.Merge {
        guard case .patch(let set, let unset) = mutation.change, !isDue(mutation) else {
            return .fields
        }
        let isGuarded =
            set.contains { self[$0.name].isGuarded } || unset.contains { self[$0].isGuarded }
        return isGuarded ? .none : .fields
    }

    private func isDue(_ mutation: Mutation) -> Bool { mutation.conflicts >= Self.patience }

    private func first(of change: Mutation.Change) -> PushOperation.Force {
        switch change {
        case .patch(let set, let unset):
            .only((set.map(\.name) + unset).filter { self[$0].isInServerOrder })
        case .delete: kind == .mutable && deletes == .editWins ? .nothing : .record
        case .put, .delta, .action: .nothing
        }
    }

    private func last(of mutation: Mutation) -> PushOperation.Force {
        switch mutation.change {
        case .patch(let set, let unset):
            .only((set.map(\.name) + unset).filter { !self[$0].isAsking })
        case .put(let object): object.contains { self[$0.name].isAsking } ? .nothing : .record
        case .delete: .record
        case .delta, .action: .nothing
        }
    }
}

extension PushOperation.Force {
    fileprivate static func only(_ fields: [String]) -> Self {
        fields.isEmpty ? .nothing : .fields(Set(fields))
    }
}

extension FieldPolicy {
    /// Whether the edit that arrives last wins.
    package var isInServerOrder: Bool {
        if case .serverOrder = kind { true } else { false }
    }

    /// Whether it is a sum of steps.
    var isCounting: Bool {
        if case .counter = kind { true } else { false }
    }

    /// Whether a conflict waits for the app.
    package var isAsking: Bool {
        if case .ask = kind { true } else { false }
    }

    /// Whether nothing but the replica may merge what it decides.
    fileprivate var isGuarded: Bool {
        switch kind {
        case .ask, .keepBoth, .custom, .serverWins: true
        case .serverOrder, .latest, .maximum, .minimum, .counter, .set, .text: false
        }
    }
}
