import Holdfast

/// Removes the records of a scope that the principal no longer sees.
struct Revocation: Sendable {
    let settling: Settling
    let scope: ScopeName
    let limit: Int

    /// Removes some of them; then the scope itself.
    ///
    /// - Returns: Whether there are more.
    func apply(to transaction: inout WriteTransaction) throws -> Bool {
        guard let scopeState = try transaction.scopeState(scope), scopeState.isRevoked else {
            return false
        }
        var records: [(RecordReference, SyncRecord)] = []
        try transaction.scanSystem(SyncKey.all(.record)) { key, value in
            let state = try SyncRecord(value)
            // What is sealed already has nothing queued and stays.
            guard state.scope == scope, let record = SyncKey.record(of: key),
                try state.isClean || hasQueued(state, transaction)
            else { return true }
            records.append((record, state))
            return records.count < limit
        }
        for (record, state) in records {
            var state = state
            try settling.lose(record, &state, &transaction)
        }
        if records.count < limit {
            try transaction.removeScope(scope)
            return false
        }
        return true
    }

    private func hasQueued(
        _ state: SyncRecord,
        _ transaction: borrowing WriteTransaction
    ) throws -> Bool {
        try transaction.mutations(of: state).contains { $0.state == .queued }
    }
}
