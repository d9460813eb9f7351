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
    /// - Returns: Whether it was there.
    /// - Throws: ``StorageError``; nothing has changed.
    @discardableResult
    package mutating func delete<Source: ValueSource>(
        _ key: RawSpan,
        reading source: Source
    ) throws(StorageError) -> Bool {
        let edits = try indexEdits(replacing: key, with: nil, reading: source)
        guard try records.contains(key) else { return false }
        if let edits { try load(edits) }
        try records.remove(key)
        if let edits { try apply(edits, recordBytes: key.byteCount) }
        return true
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
        let wasThere = try records.insert(payload, for: key)
        if let edits {
            try apply(edits, recordBytes: key.byteCount)
        } else {
            try insertEntries(of: key, value)
        }
        return wasThere
    }

    /// Points a key, which stays what it is, at another payload.
    mutating func relocate(_ key: RawSpan, to payload: RawSpan) throws(StorageError) {
        _ = try records.insert(payload, for: key)
    }
}
