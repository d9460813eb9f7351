import Holdfast
import HoldfastStorage

/// Removes the records of a scope that stood on no page of its snapshot.
///
/// Only what is clean, unmarked and not newer than the snapshot's head goes: a newer record was
/// written after the pages were begun. The pending edit of a record that has gone becomes a
/// conflict.
struct Sweep: Sendable {
    let settling: Settling
    let scope: ScopeName
    let limit: Int

    /// Looks at the next records.
    ///
    /// - Returns: Whether a record has mutations to send, or had some that others waited for.
    /// - Throws: ``MassDeleteStop``; nothing was changed.
    func apply(to transaction: inout WriteTransaction) throws -> Bool {
        guard var scopeState = try transaction.scopeState(scope),
            var snapshot = scopeState.snapshot, let head = snapshot.head
        else { return false }
        if snapshot.sweptThrough.isEmpty {
            try requireNoMassDelete(scopeState, snapshot, head, transaction)
        }
        var hasMutations = false
        let records = try next(behind: &snapshot, transaction)
        for (record, state) in records where isGone(state, snapshot, head) {
            var state = state
            let hadMutations = !state.mutations.isEmpty
            try remove(record, &state, snapshot, head, &transaction)
            hasMutations = hasMutations || hadMutations || !state.mutations.isEmpty
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
        return hasMutations
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

    private func isGone(
        _ state: SyncRecord,
        _ snapshot: ScopeState.Snapshot,
        _ head: RecordVersion
    ) -> Bool {
        // What is sealed stays for somebody to look at, unless the server has never heard of it.
        guard state.mark != snapshot.generation, state.version.number > 0,
            !state.isUnseen || snapshot.isLost(state.version)
        else { return false }
        // Which scope it is in may not have been said yet; that it was lost can be told all the same.
        guard state.scope == scope || state.scope == nil && snapshot.isLost(state.version) else {
            return false
        }
        if snapshot.restoredSince != nil { return true }
        return state.version <= head || settling.faults.contains(.sweepOfFreshRecords)
    }

    private func remove(
        _ record: RecordReference,
        _ state: inout SyncRecord,
        _ snapshot: ScopeState.Snapshot,
        _ head: RecordVersion,
        _ transaction: inout WriteTransaction
    ) throws {
        if snapshot.isLost(state.version) {
            return try sendAgain(record, &state, &transaction)
        }
        guard state.isClean else {
            // What was known of it before the pages were begun has gone with it.
            if state.remote.map({ $0.state.version <= head }) ?? true {
                state.remote = SyncRecord.Remote(state: .absent, scope: scope)
            }
            return try settling.settle(record, &state, &transaction)
        }
        try transaction.deleteDocument(of: record.id, in: record.table)
        try transaction.note(.tombstone, record, false)
        try transaction.removeSyncRecord(record)
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
