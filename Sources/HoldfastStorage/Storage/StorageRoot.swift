/// One state of a store: its records and its indexes at a sequence number.
///
/// Copying it is a snapshot, in O(1). A failed change leaves it as it was.
package struct StorageRoot: Sendable {
    /// The last transaction that this state holds.
    package var sequenceNumber: SequenceNumber
    /// The records: key to payload.
    package private(set) var records: BTree
    /// The indexes, in the order in which they were declared.
    package internal(set) var indexes: [SecondaryIndex] = []
    /// How much of each of a journal's segments is in use; `nil` where there is no journal to
    /// compact.
    var usage: JournalUsage?
    let capacity: NodeCapacity

    /// A state without records.
    package init(sequenceNumber: SequenceNumber = .zero, capacity: NodeCapacity = .standard) {
        self.init(
            sequenceNumber: sequenceNumber,
            records: BTree(capacity: capacity),
            capacity: capacity
        )
    }

    /// A state with these records and no index.
    package init(
        sequenceNumber: SequenceNumber,
        records: BTree,
        capacity: NodeCapacity = .standard
    ) {
        self.sequenceNumber = sequenceNumber
        self.capacity = capacity
        self.records = records
    }

    /// A state without records over a journal whose space is accounted for.
    init(usage: JournalUsage) {
        self.init()
        self.usage = usage
    }

    /// The bytes of the journal's entries that are live in it.
    var liveBytes: UInt64 { usage?.liveBytes ?? 0 }

    /// Sets a key's payload and maintains the indexes.
    ///
    /// - Parameters:
    ///   - payload: What stands for the value in the tree.
    ///   - value: The value itself, for the indexes; it is not looked at where no index covers the
    ///     key.
    ///   - key: The record's key.
    ///   - source: Where the old value is read, only if some index covers the key.
    /// - Returns: Whether the key was there.
    /// - Throws: ``StorageError``; nothing has changed.
    @discardableResult
    package mutating func put<Source: ValueSource>(
        _ payload: RawSpan,
        _ value: RawSpan,
        for key: RawSpan,
        reading source: Source
    ) throws(StorageError) -> Bool {
        let edits = try indexEdits(replacing: key, with: value, reading: source)
        return try put(payload, value, for: key, edits)
    }

    /// Removes a key and its entries in the indexes.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - source: Where the old value is read, only if some index covers the key.
    ///   - tombstone: What the journal has in place of the record.
    /// - Returns: Whether it was there.
    /// - Throws: ``StorageError``; nothing has changed.
    @discardableResult
    package mutating func delete<Source: ValueSource>(
        _ key: RawSpan,
        reading source: Source,
        leaving tombstone: Tombstone? = nil
    ) throws(StorageError) -> Bool {
        let edits = try indexEdits(replacing: key, with: nil, reading: source)
        let old = usage == nil ? nil : try location(of: key)
        // What is in a checkpoint is read before anything is changed: then nothing can fail.
        if let edits { try load(edits) }
        let wasThere = try records.remove(key)
        if let old { usage?.remove(old) }
        if let tombstone { usage?.add(tombstone) }
        if wasThere, let edits { try apply(edits, recordBytes: key.byteCount) }
        return wasThere
    }

    /// Sets a key's payload together with edits that were worked out for it before.
    mutating func put(
        _ payload: RawSpan,
        _ value: RawSpan,
        for key: RawSpan,
        _ edits: [IndexEdit]?
    ) throws(StorageError) -> Bool {
        // What is in a checkpoint is read before anything is changed: then nothing can fail.
        if let edits { try load(edits) } else { try loadEntries(of: key, value) }
        let wasThere = try relocate(key, to: payload)
        if let edits {
            try apply(edits, recordBytes: key.byteCount)
        } else {
            try insertEntries(of: key, value)
        }
        return wasThere
    }

    /// Points a key at another payload, without a look at the indexes.
    ///
    /// - Returns: Whether the key was there.
    @discardableResult
    mutating func relocate(_ key: RawSpan, to payload: RawSpan) throws(StorageError) -> Bool {
        guard usage != nil else { return try records.insert(payload, for: key) }
        let old = try location(of: key)
        var location = EntryLocation(payload)
        location.older = usage?.older(than: location, replacing: old)
        _ = try location.withBytes { payload throws(StorageError) in
            try records.insert(payload, for: key)
        }
        usage?.replace(old, with: location)
        return old != nil
    }

    /// Where a key's entry stands in the journal.
    func location(of key: RawSpan) throws(StorageError) -> EntryLocation? {
        try records.withPayload(for: key) { EntryLocation($0) }
    }

    /// The segments that may hold a version of a key; `nil` where the key is not there.
    func segments(of key: RawSpan) throws(StorageError) -> ClosedRange<UInt32>? {
        guard let usage else { return try records.contains(key) ? 0...0 : nil }
        guard let location = try location(of: key) else { return nil }
        return usage.presentPart(of: location.older).including(location.segment)
    }
}
