import Holdfast

extension ReadTransaction {
    /// The status of the store with an engine that does this.
    ///
    /// - Parameters:
    ///   - activity: What the engine does; `nil` where none runs.
    ///   - now: The time on the engine's clock.
    /// - Returns: The status.
    /// - Throws: `StoreError`, or ``SyncError`` `.damagedState`.
    /// - Complexity: O(log n).
    package func syncStatus(_ activity: SyncActivity?, at now: Duration) throws -> SyncStatus {
        let activity = activity ?? SyncActivity()
        var status = SyncStatus()
        status.pending = try pendingCount()
        status.attention = try syncCount(.attention)
        status.conflicts = try syncCount(.question)
        status.unstepped = try syncCount(.raw)
        status.unconfirmed = try syncCount(.acknowledged)
        try scanMutations { mutation in
            status.oldestPending = mutation.created
            return false
        }
        status.phase = activity.phase
        status.pause = try clientState()?.isSealed == true ? .signedOut : activity.pause
        status.lastFailure = activity.lastFailure
        status.nextAttempt = activity.nextAttempt.map { max(.zero, $0 - now) }
        status.lastSuccess = activity.lastSuccess.map { now - $0 }
        status.isStalled = activity.isStalled
        let isSettled =
            status.pending == 0 && status.conflicts == 0 && status.pause == nil
            && !status.isStalled
        status.isSynced =
            isSettled && activity.hasReachedEnd && status.unconfirmed == 0
        return status
    }

    /// The status of one record.
    package func recordStatus(
        _ record: RecordReference,
        blockedBy: (Mutation) throws -> [RecordReference]
    ) throws -> RecordStatus {
        guard let state = try syncRecord(record) else { return .savedHere }
        if let fields = state.question { return .conflict(fields: fields) }
        let mutations = try mutations(of: state)
        for mutation in mutations {
            if case .attention(let problem) = mutation.state { return .needsAttention(problem) }
        }
        guard let first = mutations.first else {
            return try isAcknowledged(record) ? .acknowledged : .confirmed
        }
        // What was sent and put off, since the record that it refers to is not there, waits too.
        let blockers = try blockedBy(first)
        if first.isSent, blockers.isEmpty { return .sending }
        return .waiting(since: first.created, blockedBy: blockers)
    }

    private func isAcknowledged(_ record: RecordReference) throws -> Bool {
        var isFound = false
        try scanAcknowledged { mutation in
            isFound = mutation.record == record
            return !isFound
        }
        return isFound
    }
}
