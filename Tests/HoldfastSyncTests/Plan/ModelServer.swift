import Holdfast
import HoldfastSync

/// One record on a server, by the rules of the protocol, as plainly as they can be written.
struct ModelServer {
    enum Answer: Hashable {
        case done
        case conflict
    }

    private(set) var state = ServerState.absent
    private(set) var ledger: [RecordID: LedgerEntry] = [:]
    private var counter: Int64 = 0
    private var fieldVersions: [String: RecordVersion] = [:]
    private var answers: [MutationKey: Answer] = [:]

    /// Applies a mutation once, however often it comes.
    mutating func push(_ mutation: Mutation, on base: RecordVersion, _ rules: SyncRules) -> Answer {
        if let answer = answers[mutation.key] { return answer }
        let force = rules.force(of: mutation)
        let answer = allows(mutation, on: base, force, rules.merge(of: mutation))
        if answer == .done { apply(mutation.change, mutation.ledger) }
        answers[mutation.key] = answer
        return answer
    }

    /// Whether a mutation with this key was applied.
    func contains(_ key: MutationKey) -> Bool { answers[key] == .done }

    private func allows(
        _ mutation: Mutation,
        on base: RecordVersion,
        _ force: PushOperation.Force,
        _ merge: PushOperation.Merge
    ) -> Answer {
        if base == state.version {
            return state.object != nil || isPut(mutation) ? .done : noRecord(mutation)
        }
        switch mutation.change {
        case .put(let object): return force == .record || object == state.object ? .done : .conflict
        case .delete: return force == .record || state.object == nil ? .done : .conflict
        case .delta, .action: return .done
        case .patch(let set, let unset):
            guard state.object != nil else { return noRecord(mutation) }
            let open = (set.map(\.name) + unset).filter { !force.covers($0) }
            let isUntouched = open.allSatisfy { version(of: $0) <= base }
            return open.isEmpty || merge == .fields && isUntouched ? .done : .conflict
        }
    }

    private func isPut(_ mutation: Mutation) -> Bool {
        if case .put = mutation.change { true } else { false }
    }

    private func noRecord(_ mutation: Mutation) -> Answer {
        mutation.change.isEdit && mutation.change != .delete ? .conflict : .done
    }

    private func version(of field: String) -> RecordVersion {
        fieldVersions[field] ?? fieldVersions[""] ?? RecordVersion(0)
    }

    private mutating func apply(_ change: Mutation.Change, _ entries: [LedgerEntry]) {
        for entry in entries { ledger[entry.id] = entry }
        let new = change.applied(to: state.object)
        if new == state.object { return }
        counter += 1
        let version = RecordVersion(counter)
        if new == nil || state.object == nil || isWhole(change) { fieldVersions = ["": version] }
        for (name, value) in new ?? [:] where state.object?[name] != value {
            fieldVersions[name] = version
        }
        for (name, _) in state.object ?? [:] where new?[name] == nil {
            fieldVersions[name] = version
        }
        state = ServerState(version: version, object: new)
    }

    private func isWhole(_ change: Mutation.Change) -> Bool {
        if case .put = change { true } else { false }
    }
}

extension PushOperation.Force {
    fileprivate func covers(_ field: String) -> Bool {
        switch self {
        case .nothing: false
        case .fields(let fields): fields.contains(field)
        case .record: true
        }
    }
}
