import Holdfast
import HoldfastSync

extension ServerTransaction {
    /// Stores what was written: every record once, at the next position of its scope.
    ///
    /// - Returns: The scopes whose histories went on.
    mutating func store() throws -> Set<ScopeName> {
        var scopes: [ScopeName: ScopeRecord] = [:]
        for record in edit.written {
            guard let slot = edit.slots[record] else { continue }
            try store(slot, of: record, &scopes)
        }
        for (scope, known) in scopes {
            try transaction.putSystem(known.bytes, for: ServerKey.scope(scope))
        }
        if edit.head != dataset.head {
            var dataset = dataset
            dataset.head = edit.head
            try transaction.putSystem(dataset.bytes, for: ServerKey.dataset)
        }
        return Set(scopes.keys)
    }

    /// Stores what was written, and forgets it: what comes then is read anew.
    mutating func storeSoFar() throws {
        _ = try store()
        edit = PendingEdit(head: edit.head)
    }

    private mutating func store(
        _ slot: RecordSlot,
        of record: RecordReference,
        _ scopes: inout [ScopeName: ScopeRecord]
    ) throws {
        guard var metadata = slot.metadata else { return }
        try forget(slot.stored, of: record)
        if let old = slot.stored, old.scope != metadata.scope {
            try depart(&metadata, from: old.scope, of: record, &scopes)
        }
        if let departure = metadata.departures.removeValue(forKey: metadata.scope) {
            try transaction.deleteSystem(ServerKey.feed(metadata.scope, departure.sequence))
            try transaction.deleteSystem(
                ServerKey.tombstone(departure.version, in: metadata.scope)
            )
        }
        metadata.sequence = try next(metadata.scope, &scopes)
        let entry = FeedEntry(
            slot.object == nil ? .delete : .put,
            metadata.version,
            record,
            form: metadata.form
        )
        try transaction.putSystem(
            entry.bytes,
            for: ServerKey.feed(metadata.scope, metadata.sequence)
        )
        try store(slot.object, metadata, of: record, stored: slot.stored)
    }

    /// Takes the old place in the history away.
    private mutating func forget(_ old: RecordMetadata?, of record: RecordReference) throws {
        guard let old else { return }
        try transaction.deleteSystem(ServerKey.feed(old.scope, old.sequence))
        if old.isTombstone {
            try transaction.deleteSystem(ServerKey.tombstone(old.version, in: old.scope))
        }
    }

    private mutating func store(
        _ object: JSONObject?,
        _ metadata: RecordMetadata,
        of record: RecordReference,
        stored: RecordMetadata?
    ) throws {
        try transaction.putSystem(metadata.bytes, for: ServerKey.record(record))
        let wasLive = stored.map { !$0.isTombstone } ?? false
        if wasLive, let stored, object == nil || stored.scope != metadata.scope {
            try transaction.deleteSystem(ServerKey.live(record, in: stored.scope))
        }
        guard let object else {
            if wasLive { try transaction.deleteDocument(of: record.id, in: record.table) }
            try remember(metadata, of: record)
            return
        }
        if !wasLive || stored?.scope != metadata.scope {
            try transaction.putSystem([], for: ServerKey.live(record, in: metadata.scope))
        }
        try transaction.putDocument(object, of: record.id, in: record.table)
    }

    /// Notes a deletion, to be purged one day.
    private mutating func remember(
        _ metadata: RecordMetadata,
        of record: RecordReference
    ) throws {
        let tombstone = TombstoneRecord(record, sequence: metadata.sequence, time: now)
        try transaction.putSystem(
            tombstone.bytes,
            for: ServerKey.tombstone(metadata.version, in: metadata.scope)
        )
    }

    /// Tells the scope that a record was in that it has gone.
    private mutating func depart(
        _ metadata: inout RecordMetadata,
        from scope: ScopeName,
        of record: RecordReference,
        _ scopes: inout [ScopeName: ScopeRecord]
    ) throws {
        let sequence = try next(scope, &scopes)
        let entry = FeedEntry(.gone, metadata.version, record)
        try transaction.putSystem(entry.bytes, for: ServerKey.feed(scope, sequence))
        let tombstone = TombstoneRecord(record, sequence: sequence, time: now)
        try transaction.putSystem(
            tombstone.bytes,
            for: ServerKey.tombstone(metadata.version, in: scope)
        )
        metadata.departures[scope] = RecordMetadata.Departure(
            version: metadata.version,
            sequence: sequence
        )
    }

    /// The next position in a scope's history.
    private func next(
        _ scope: ScopeName,
        _ scopes: inout [ScopeName: ScopeRecord]
    ) throws -> Int64 {
        var known = try scopes[scope] ?? transaction.scopeRecord(scope)
        guard known.sequence < .max else { throw MetadataReader.damage }
        known.sequence += 1
        scopes[scope] = known
        return known.sequence
    }
}
