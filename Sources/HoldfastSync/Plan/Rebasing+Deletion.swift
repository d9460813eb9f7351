import Holdfast

extension Rebasing {
    /// The record is deleted on the server.
    mutating func meetDeletion() {
        if rules.deletionWins { return dropAll(because: rules.deletionRule) }
        guard let local = mutations.snapshot(of: base.object) else {
            drop { $0.isEdit || $0.isDelta }
            return refuseActions()
        }
        guard mutations.contains(where: { $0.change.isEdit && !$0.isDoubtful }) else {
            return dropAll(because: "deleteWins")
        }
        revive()
        discard(nil, state: nil, for: .object(local), by: rules.deletionRule)
    }

    /// The first edit becomes a put of the whole record, which the others follow.
    ///
    /// A deletion before it is done already; what was counted before goes behind it, since nothing
    /// can be added to a record that is not there, and the put leaves it out.
    private mutating func revive() {
        var state = base.object
        var early: [Mutation] = []
        var revived: [Mutation] = []
        for var mutation in mutations {
            if !revived.isEmpty {
                revived.append(mutation)
            } else if mutation.change == .delete {
                adopt(mutation.ledger)
                state = nil
                early.removeAll(where: \.change.isDelta)
            } else if mutation.change.isEdit, let whole = mutation.change.applied(to: state) {
                mutation.change = .put(whole)
                mutation.isRemade = mutation.isRemade || state != nil
                // A group does without what cannot be done before another one.
                for index in early.indices where early[index].group != mutation.group {
                    early[index].group = nil
                }
                revived = [mutation] + early
            } else {
                early.append(mutation)
            }
        }
        mutations = revived
    }

    /// The deletion here meets an edit of the server, and goes before it.
    mutating func deleteAnyway(_ theirs: JSONObject) {
        discard(nil, state: .object(theirs), for: nil, by: rules.deletionRule)
    }

    /// What was written before the deletion is merged all the same: somebody may yet discard the
    /// deletion, and must not replace what the server has by then.
    mutating func mergeBeforeDeletion(with theirs: JSONObject) {
        guard let place = mutations.lastIndex(where: { $0.change == .delete }), place > 0 else {
            return
        }
        var before = self
        before.mutations = Array(mutations[..<place])
        // A question, or a copy, would be about a record that is to go.
        guard before.mergeFields(with: theirs).isEmpty, before.copies.isEmpty else { return }
        mutations.replaceSubrange(..<place, with: before.mutations)
        discards = before.discards
    }

    /// The deletion here meets an edit of the server and is given up.
    mutating func giveUpDeletion(_ theirs: JSONObject) {
        while let last = mutations.lastIndex(where: \.change.isEdit),
            mutations[last].change == .delete
        {
            let mutation = mutations.remove(at: last)
            adopt(mutation.ledger)
            let kept = JSONValue.object(theirs)
            discard(nil, edit: nil, of: mutation.key, for: kept, by: rules.deletionRule)
        }
    }

    /// A record that is written once is on the server in another form: that one stays.
    mutating func meetState(_ theirs: JSONObject) {
        guard let last = mutations.last(where: \.change.isEdit) else { return }
        if last.change == .delete { return deleteAnyway(theirs) }
        let local = mutations.snapshot(of: base.object)
        drop(\.isEdit)
        guard let local, local != theirs else { return }
        let rule = rules.kind == .immutable ? "immutable" : "serverAuthoritative"
        discard(nil, edit: .object(local), of: last.key, for: .object(theirs), by: rule)
    }

    /// The record stays deleted; what was written here goes with it.
    private mutating func dropAll(because rule: String) {
        let isDropped = { (change: Mutation.Change) in change.isEdit || change.isDelta }
        let local = mutations.filter { isDropped($0.change) }.applied(to: base.object)
        let last = mutations.last { isDropped($0.change) }
        drop(isDropped)
        refuseActions()
        guard let last, let local else { return }
        discard(nil, edit: .object(local), of: last.key, for: nil, by: rule)
    }

    /// No action is run on a tombstone: the app has to know.
    ///
    /// Of a record that was purged the server knows nothing, and lets the handler decide.
    mutating func refuseActions() {
        let isTombstone = remote.version.number > 0
        for index in mutations.indices {
            guard case .action(let name, let arguments, _, _) = mutations[index].change else {
                continue
            }
            mutations[index].change = .action(
                name: name,
                arguments: arguments,
                guess: [:],
                unset: []
            )
            if isTombstone { mutations[index].state = .attention(.recordDeleted) }
        }
    }

    /// Drops mutations, but not what they have for the ledger.
    private mutating func drop(_ isDropped: (Mutation.Change) -> Bool) {
        for mutation in mutations where isDropped(mutation.change) { adopt(mutation.ledger) }
        mutations.removeAll { isDropped($0.change) }
    }
}

extension SyncRules {
    fileprivate var deletionRule: String { deletionWins ? "deleteWins" : "editWins" }
}

extension SyncProblem {
    fileprivate static let recordDeleted = Self(
        type: ProblemType.recordDeleted,
        detail: "The record is deleted; discard the action, or bring the record back."
    )
}

extension Mutation.Change {
    fileprivate var isDelta: Bool { if case .delta = self { true } else { false } }
}
