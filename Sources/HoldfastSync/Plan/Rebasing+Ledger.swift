import Holdfast

extension Rebasing {
    /// What the server has is discarded, in a field or whole.
    mutating func discard(
        _ field: String?,
        state value: JSONValue?,
        for kept: JSONValue?,
        by rule: String
    ) {
        let version = remote.version.number > 0 ? remote.version : nil
        let entry = LedgerEntry(
            id: LedgerEntry.id(for: record, field: field, discarding: .state(remote.version)),
            record: record,
            field: field,
            discarded: value,
            kept: kept,
            discardedVersion: version,
            rule: rule
        )
        discards.append(entry)
    }

    /// What a mutation wrote is discarded, in a field or whole.
    mutating func discard(
        _ field: String?,
        edit value: JSONValue?,
        of key: MutationKey,
        for kept: JSONValue?,
        by rule: String
    ) {
        let discarded = LedgerEntry.Discarded.edit(key, on: base.version)
        let entry = LedgerEntry(
            id: LedgerEntry.id(for: record, field: field, discarding: discarded),
            record: record,
            field: field,
            discarded: value,
            kept: kept,
            keptVersion: remote.version.number > 0 ? remote.version : nil,
            rule: rule
        )
        discards.append(entry)
    }

    /// Keeps what a mutation that goes had for the ledger.
    mutating func adopt(_ entries: [LedgerEntry]) {
        discards += entries.filter(isStillDiscarded)
    }

    /// The mutations with what each discards, and the rest where none is left that could carry it.
    ///
    /// It goes with the first that writes the field: the server must learn of the loss from the very
    /// mutation that causes it.
    func claimed() -> (mutations: [Mutation], unclaimed: [LedgerEntry]) {
        var mutations = mutations
        for index in mutations.indices where !mutations[index].ledger.isEmpty {
            mutations[index].ledger = mutations[index].ledger.filter(isStillDiscarded)
        }
        var unclaimed: [LedgerEntry] = []
        for entry in discards {
            let writer = mutations.firstIndex { $0.change.writes(entry.field) }
            if let index = writer ?? mutations.firstIndex(where: \.change.hasBase) {
                mutations[index].ledger.append(entry)
            } else {
                unclaimed.append(entry)
            }
        }
        return (mutations, unclaimed)
    }

    /// Whether an earlier decision still is one: what it discarded of the server's is not in the way
    /// any more once the server has something else there.
    private func isStillDiscarded(_ entry: LedgerEntry) -> Bool {
        guard entry.discardedVersion != nil else { return true }
        // What is put again brings back the value that the next mutation replaces.
        if isPutAgain { return true }
        guard let theirs = remote.object, let ours = base.object else { return false }
        guard let field = entry.field else { return theirs == ours }
        return theirs[field] == ours[field]
    }
}

extension Mutation.Change {
    /// Whether it writes a field, or the whole record.
    func writes(_ field: String?) -> Bool {
        switch self {
        case .put, .delete: true
        case .patch(let set, let unset):
            field.map { set[$0] != nil || unset.contains($0) } ?? false
        case .delta, .action: false
        }
    }
}
