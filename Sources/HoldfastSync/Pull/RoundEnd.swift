import Holdfast

/// What is done when histories have been read to their ends.
///
/// Only where all have been is it known which records have left every scope, and that no page can
/// bring a deleted record back.
struct RoundEnd: Sendable {
    let settling: Settling
    let outstanding: OutstandingMutations
    /// The scopes that were read.
    let scopes: Set<ScopeName>
    /// Whether these are all that are followed.
    let isWhole: Bool
    /// The records that left a scope in the round that ends: a scope that was read before may have
    /// got them since, which the next round tells.
    let freshlyGone: Set<RecordReference>

    /// Removes what has gone, forgets tombstones, and counts removals anew.
    ///
    /// - Returns: Whether there may be mutations to send.
    func apply(to transaction: inout WriteTransaction) throws -> Bool {
        var hasMutations = false
        if isWhole {
            hasMutations = try removeGone(&transaction)
            try forgetTombstones(&transaction)
        }
        for (scope, state) in try counted(transaction) {
            var state = state
            state.removals = 0
            state.records = nil
            state.accepted = nil
            try transaction.set(state, of: scope)
        }
        return hasMutations
    }

    /// Whether there is anything to do.
    func isNeeded(_ transaction: borrowing some Transaction & ~Copyable) throws -> Bool {
        if isWhole, try transaction.syncCount(.gone) + transaction.syncCount(.tombstone) > 0 {
            return true
        }
        return try !counted(transaction).isEmpty
    }

    /// The scopes whose removals have been counted.
    private func counted(
        _ transaction: borrowing some Transaction & ~Copyable
    ) throws -> [ScopeName: ScopeState] {
        try transaction.scopeStates().filter { scope, state in
            (isWhole || scopes.contains(scope))
                && (state.removals > 0 || state.accepted != nil || state.records != nil)
        }
    }

    /// Removes what has left every scope that is followed.
    ///
    /// It is not seen any more, and still on the server: a revocation, and no removal that would
    /// have to be confirmed. What a snapshot has passed, and no scope has, is deleted.
    private func removeGone(_ transaction: inout WriteTransaction) throws -> Bool {
        var hasMutations = false
        var notes: [(record: RecordReference, note: GoneNote)] = []
        try transaction.scanSystem(SyncKey.all(.gone)) { key, value in
            if let record = SyncKey.record(of: key) { notes.append((record, try GoneNote(value))) }
            return true
        }
        for (record, note) in notes where !freshlyGone.contains(record) {
            let known = try transaction.syncRecord(record)
            // The answer to its creation says where the record was.
            if let known, known.scope == nil, !known.mutations.isEmpty { continue }
            try transaction.note(.gone, record, false)
            guard var state = known else { continue }
            if note.isSwept {
                guard note.stands(for: state) else { continue }
                hasMutations = hasMutations || !state.mutations.isEmpty
                try settling.sweep(record, of: note.scope, &state, &transaction)
                hasMutations = hasMutations || !state.mutations.isEmpty
                continue
            }
            let anywhere = settling.faults.contains(.goneFromAnyScope)
            if !anywhere, let remote = state.remote, remote.scope != note.scope,
                remote.state.version >= note.version
            {
                continue
            }
            guard anywhere || state.scope == note.scope && state.version < note.version else {
                continue
            }
            try settling.lose(record, &state, &transaction)
        }
        return hasMutations
    }

    private func forgetTombstones(_ transaction: inout WriteTransaction) throws {
        for record in try transaction.noted(.tombstone) {
            guard let state = try transaction.syncRecord(record), state.isClean, state.isDeleted
            else {
                try transaction.note(.tombstone, record, false)
                continue
            }
            // Its echo has not come: an older page may still hold the record.
            guard outstanding[record].isEmpty else { continue }
            try transaction.note(.tombstone, record, false)
            try transaction.removeSyncRecord(record)
        }
    }
}

extension Settling {
    /// A record that the principal no longer sees: a clean one goes; what waits to be sent is kept
    /// and surfaced.
    func lose(
        _ record: RecordReference,
        _ state: inout SyncRecord,
        _ transaction: inout WriteTransaction
    ) throws {
        guard !state.mutations.isEmpty else {
            try transaction.deleteDocument(of: record.id, in: record.table)
            try transaction.note(.question, record, false)
            try transaction.note(.tombstone, record, false)
            return try transaction.removeSyncRecord(record)
        }
        state.isUnseen = true
        let problem = SyncProblem(
            type: ProblemType.scopeRevoked,
            detail: "This account no longer sees the record. The change is kept here; copy what"
                + " you need of it, then discard it."
        )
        for mutation in try transaction.mutations(of: state) {
            // What was sent keeps its key: whether it had its effect is still to be learnt.
            guard case .queued = mutation.state else { continue }
            var sealed = mutation
            sealed.state = .attention(problem)
            try transaction.set(sealed)
        }
        try settle(record, &state, &transaction)
    }
}
