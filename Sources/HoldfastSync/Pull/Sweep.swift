import Holdfast
import HoldfastStorage

/// Removes the records of a scope that stood on no page of its snapshot.
///
/// Only what is clean, unmarked and not newer than the snapshot's head goes: a newer record was
/// written after the pages were begun. The pending edit of a record that has gone becomes a
/// conflict. Where other scopes are followed the record may have moved to one of them, which is
/// known when all have been read to their end.
struct Sweep: Sendable {
    /// What the machine has to know of it.
    struct Outcome: Sendable {
        /// Whether a record now has mutations to send.
        var hasMutations = false
        /// Records that may have moved to another scope.
        var gone: [RecordReference] = []
    }

    let settling: Settling
    let scope: ScopeName
    let limit: Int
    /// Whether other scopes are followed.
    let isOneOfSeveral: Bool

    /// Looks at the next records.
    ///
    /// - Throws: ``MassDeleteStop``; nothing was changed.
    func apply(to transaction: inout WriteTransaction) throws -> Outcome {
        var outcome = Outcome()
        guard var scopeState = try transaction.scopeState(scope),
            var snapshot = scopeState.snapshot, let head = snapshot.head
        else { return outcome }
        if snapshot.sweptThrough.isEmpty {
            try requireNoMassDelete(scopeState, snapshot, head, transaction)
        }
        let records = try next(behind: &snapshot, transaction)
        for (record, stored) in records {
            var state = stored
            if forgetsRemote(&state, snapshot) {
                try settling.settle(record, &state, &transaction)
                outcome.hasMutations = outcome.hasMutations || !state.mutations.isEmpty
            }
            guard isGone(state, snapshot, head) else { continue }
            let hadMutations = !state.mutations.isEmpty
            if try remove(record, &state, snapshot, head, &transaction) {
                outcome.hasMutations =
                    outcome.hasMutations || hadMutations || !state.mutations.isEmpty
            } else {
                outcome.gone.append(record)
            }
        }
        if records.count < limit {
            scopeState.cursor = snapshot.cursor
            scopeState.snapshot = nil
            scopeState.sweptHead = head
            scopeState.accepted = nil
        } else {
            scopeState.snapshot = snapshot
        }
        try transaction.set(scopeState, of: scope)
        return outcome
    }

    /// The next records of any scope behind the place that the sweep has come to.
    private func next(
        behind snapshot: inout ScopeState.Snapshot,
        _ transaction: borrowing WriteTransaction
    ) throws -> [(RecordReference, SyncRecord)] {
        var records: [(RecordReference, SyncRecord)] = []
        var range = SyncKey.all(.record)
        if !snapshot.sweptThrough.isEmpty { range.lower = snapshot.sweptThrough + [0] }
        var last = snapshot.sweptThrough
        try transaction.scanSystem(range) { key, value in
            guard let record = SyncKey.record(of: key) else { return true }
            records.append((record, try SyncRecord(value)))
            last = key
            return records.count < limit
        }
        snapshot.sweptThrough = last
        return records
    }

    /// Takes back what the lost history had said of a record that stood on no page: an answer of this
    /// history would seem older for ever.
    private func forgetsRemote(
        _ state: inout SyncRecord,
        _ snapshot: ScopeState.Snapshot
    ) -> Bool {
        guard state.mark != snapshot.generation, let remote = state.remote,
            snapshot.isLost(remote.state.version), remote.scope ?? state.scope ?? scope == scope
        else { return false }
        state.remote = nil
        return true
    }

    private func isGone(
        _ state: SyncRecord,
        _ snapshot: ScopeState.Snapshot,
        _ head: RecordVersion
    ) -> Bool {
        // What is sealed stays for somebody to look at, unless the server has never heard of it.
        let isLost = snapshot.isLost(state.version)
        guard state.mark != snapshot.generation, state.version.number > 0,
            !state.isUnseen || isLost
        else { return false }
        // What was pulled and is not planned yet is the newest that is known of it.
        if let remote = state.remote, remote.state.version.number > 0, !isLost {
            return (remote.scope ?? state.scope) == scope && remote.state.version <= head
        }
        // Which scope it is in may not have been said yet; that it was lost can be told all the same.
        guard state.scope == scope || state.scope == nil && isLost else { return false }
        if snapshot.restoredSince != nil { return true }
        return state.version <= head || settling.faults.contains(.sweepOfFreshRecords)
    }

    /// - Returns: Whether it is decided what becomes of the record.
    private func remove(
        _ record: RecordReference,
        _ state: inout SyncRecord,
        _ snapshot: ScopeState.Snapshot,
        _ head: RecordVersion,
        _ transaction: inout WriteTransaction
    ) throws -> Bool {
        if snapshot.isLost(state.version) {
            try sendAgain(record, &state, &transaction)
            return true
        }
        if isOneOfSeveral, state.version <= head {
            let note = GoneNote(scope: scope, version: head, isSwept: true)
            try transaction.note(.gone, record, true, note.encoded())
            return false
        }
        try settling.sweep(record, of: scope, &state, &transaction)
        return true
    }

    /// The server has lost the record: it may be the only copy.
    private func sendAgain(
        _ record: RecordReference,
        _ state: inout SyncRecord,
        _ transaction: inout WriteTransaction
    ) throws {
        let agreed = try settling.base(of: record, state, transaction)
        state.version = RecordVersion(0)
        state.isUnseen = false
        state.isDeleted = true
        state.base = nil
        state.remote = nil
        let sent = try transaction.mutations(of: state).filter(\.isUnknown)
        if let agreed, let change = Mutation.Change.put(agreed).leaving(sent) {
            try settling.queue(
                change,
                of: record,
                isFirst: true,
                isRemade: true,
                &state,
                &transaction
            )
        }
        try settling.settle(record, &state, &transaction)
    }

    private func requireNoMassDelete(
        _ scopeState: ScopeState,
        _ snapshot: ScopeState.Snapshot,
        _ head: RecordVersion,
        _ transaction: borrowing WriteTransaction
    ) throws {
        let name = MassDelete.name(of: scope, from: snapshot.cursor)
        guard scopeState.accepted != name else { return }
        var counts = (gone: 0, live: 0)
        try transaction.scanSystem(SyncKey.all(.record)) { _, value in
            let state = try SyncRecord(value)
            guard state.scope == scope, !state.isDeleted else { return true }
            counts.live += 1
            let isKept = snapshot.isLost(state.version)
            if state.isClean, isGone(state, snapshot, head), !isKept { counts.gone += 1 }
            return true
        }
        let isEmpty = counts.gone > 0 && counts.gone == counts.live
        let isMany =
            counts.gone > settling.configuration.massDeleteCount
            && Double(counts.gone)
                > Double(counts.live) * settling.configuration.massDeleteShare
        guard isEmpty || isMany else { return }
        throw MassDeleteStop(removals: MassDelete(set: name, scope: scope, count: counts.gone))
    }
}

extension ScopeState.Snapshot {
    /// Whether a version was lost with a part of the server's history.
    func isLost(_ version: RecordVersion) -> Bool {
        restoredSince != nil && lost.contains { $0.contains(version) }
    }
}
