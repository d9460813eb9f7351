/// An index: its definition, and the tree of its entries.
package struct SecondaryIndex: Sendable {
    package internal(set) var definition: IndexDefinition
    package private(set) var entries: BTree

    init(_ definition: IndexDefinition, capacity: NodeCapacity) {
        self.init(definition, entries: BTree(capacity: capacity))
    }

    init(_ definition: IndexDefinition, entries: BTree) {
        self.definition = definition
        self.entries = entries
    }

    /// The entries that a record has, in order and each once.
    func entryKeys(of key: RawSpan, _ value: RawSpan) -> [[UInt8]] {
        var keys: [[UInt8]] = []
        definition.extract(key, value) { keys.append(IndexEntry.key($0, of: key)) }
        guard keys.count > 1 else { return keys }
        keys.sort { $0.lexicographicallyPrecedes($1) }
        return keys.enumerated().filter { $0.offset == 0 || keys[$0.offset - 1] != $0.element }
            .map(\.element)
    }

    /// Adds the entries of a record that has none here.
    mutating func insertEntries(of key: RawSpan, _ value: RawSpan) throws(StorageError) {
        var failure: StorageError?
        definition.extract(key, value) { indexKey in
            guard failure == nil else { return }
            do throws(StorageError) {
                // A key that is emitted twice takes its own place.
                try IndexEntry.withEntry(indexKey, of: key) { entry, payload throws(StorageError) in
                    _ = try entries.insert(payload, for: entry)
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    mutating func insert(_ entryKey: [UInt8], recordBytes: Int) throws(StorageError) {
        try entryKey.withRawSpan { (entry) throws(StorageError) in
            let payload = IndexEntry.payload(ofEntry: entry, recordBytes: recordBytes)
            _ = try payload.withRawSpan { (payload) throws(StorageError) in
                try entries.insert(payload, for: entry)
            }
        }
    }

    mutating func remove(_ entryKey: [UInt8]) throws(StorageError) {
        _ = try entryKey.withRawSpan { (entry) throws(StorageError) in
            try entries.remove(entry)
        }
    }

    /// Visits the entries of a range of the tree's own keys.
    func scan(
        _ range: KeyRange,
        _ direction: ScanDirection,
        _ visit: (_ indexKey: RawSpan, _ key: RawSpan) -> Bool
    ) throws(StorageError) {
        var scratch: [UInt8] = []
        try entries.forEach(in: range, direction) { entry, payload in
            IndexEntry.withKeys(entry, payload, &scratch, visit)
        }
    }

    func count(in range: KeyRange) throws(StorageError) -> Int {
        try entries.count(in: IndexEntry.range(range))
    }
}
