import Holdfast

/// The first commit after a server was restored from a backup.
struct HistoryBeginning: Sendable {
    /// The replica in the new history, with the generation in which comparing begins.
    let client: ClientState
    /// The scopes that are followed, whether they were begun or not.
    let scopes: Set<ScopeName>
    /// What the old history had acknowledged.
    let acknowledged: [OutstandingMutation]

    /// Lets every scope be read anew and compared.
    func apply(to transaction: inout WriteTransaction) throws {
        try transaction.set(client)
        for mutation in acknowledged { try transaction.removeAcknowledged(mutation.sequence) }
        try forgetGone(&transaction)
        let stored = try transaction.scopeStates()
        for scope in scopes.union(stored.keys) {
            var state = stored[scope] ?? ScopeState()
            if state.isRevoked { continue }
            var snapshot = ScopeState.Snapshot(generation: client.generation)
            snapshot.restoredSince = client.generation
            state.snapshot = snapshot
            state.cursor = nil
            try transaction.set(state, of: scope)
        }
    }

    /// What the lost history had said of scopes that records left is no word of this one's.
    private func forgetGone(_ transaction: inout WriteTransaction) throws {
        for record in try transaction.noted(.gone) { try transaction.note(.gone, record, false) }
    }
}
