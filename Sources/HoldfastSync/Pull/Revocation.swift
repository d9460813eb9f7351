import Holdfast

/// Removes the records of a scope that the principal no longer sees, or that the app follows no
/// longer.
///
/// What waits of a scope that is not seen is sealed and stays, for somebody to look at. What waits of
/// one that the app has left is sent as ever, and its record goes when it is clean.
struct Revocation: Sendable {
    let settling: Settling
    let scope: ScopeName
    let limit: Int

    /// Removes some of them; then the scope itself.
    ///
    /// - Returns: Whether there are more that can be removed now.
    func apply(to transaction: inout WriteTransaction) throws -> Bool {
        guard let scopeState = try transaction.scopeState(scope),
            scopeState.isRevoked || scopeState.isLeft
        else { return false }
        var records: [(RecordReference, SyncRecord)] = []
        var waits = false
        try transaction.scanSystem(SyncKey.all(.record)) { key, value in
            let state = try SyncRecord(value)
            guard state.scope == scope, let record = SyncKey.record(of: key) else { return true }
            if !scopeState.isRevoked, !state.isClean {
                waits = true
                return true
            }
            // What is sealed already has nothing queued and stays.
            guard try state.isClean || hasQueued(state, transaction) else { return true }
            records.append((record, state))
            return records.count < limit
        }
        for (record, state) in records {
            var state = state
            try settling.lose(record, &state, &transaction)
        }
        if records.count == limit { return true }
        if !waits { try transaction.removeScope(scope) }
        return false
    }

    private func hasQueued(
        _ state: SyncRecord,
        _ transaction: borrowing WriteTransaction
    ) throws -> Bool {
        try transaction.mutations(of: state).contains { $0.state == .queued }
    }
}
