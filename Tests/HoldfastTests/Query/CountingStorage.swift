import HoldfastStorage
import Synchronization

/// A storage that counts what is read of it.
final class CountingStorage: Storage {
    /// What was read so far.
    struct Reads: Equatable {
        /// Records whose values were read.
        var values = 0
        /// Keys and entries of indexes that were visited.
        var keys = 0
        /// The most of them between two values.
        var keysInARow = 0
        fileprivate var row = 0
    }

    private let storage = MemoryStorage()
    private let counter = ReadCounter()

    /// What `body` gives, and what it reads.
    func reads<Result>(_ body: () throws -> Result) rethrows -> (Result, Reads) {
        counter.reads.withLock { $0 = Reads() }
        let result = try body()
        return (result, counter.reads.withLock { $0 })
    }

    func snapshot() throws(StorageError) -> any StorageSnapshot {
        CountingSnapshot(snapshot: try storage.snapshot(), counter: counter)
    }

    @concurrent
    func write<Result>(
        _ durability: Durability,
        _ body: sending (any StorageTransaction) throws -> sending Result
    ) async throws -> sending (result: Result, sequenceNumber: SequenceNumber) {
        try await storage.write(durability, body)
    }

    @concurrent
    func setIndexes(_ definitions: [IndexDefinition]) async throws {
        try await storage.setIndexes(definitions)
    }

    func changes(after number: SequenceNumber, limit: Int) throws(StorageError) -> [Commit] {
        try storage.changes(after: number, limit: limit)
    }

    @concurrent
    func waitForCommit(after number: SequenceNumber) async throws -> SequenceNumber {
        try await storage.waitForCommit(after: number)
    }

    @concurrent
    func close() async throws { try await storage.close() }
}

private final class ReadCounter: Sendable {
    let reads = Mutex(CountingStorage.Reads())

    func countValue() {
        reads.withLock { reads in
            reads.values += 1
            reads.row = 0
        }
    }

    func countKey() {
        reads.withLock { reads in
            reads.keys += 1
            reads.row += 1
            reads.keysInARow = max(reads.keysInARow, reads.row)
        }
    }
}

private final class CountingSnapshot: StorageSnapshot {
    private let snapshot: any StorageSnapshot
    private let counter: ReadCounter

    init(snapshot: any StorageSnapshot, counter: ReadCounter) {
        self.snapshot = snapshot
        self.counter = counter
    }

    var sequenceNumber: SequenceNumber { snapshot.sequenceNumber }
    var count: Int { snapshot.count }
    var indexNames: [String] { snapshot.indexNames }

    func value(for key: RawSpan) throws(StorageError) -> [UInt8]? {
        counter.countValue()
        return try snapshot.value(for: key)
    }

    func contains(_ key: RawSpan) throws(StorageError) -> Bool { try snapshot.contains(key) }

    func count(in range: KeyRange) throws(StorageError) -> Int { try snapshot.count(in: range) }

    func countIndex(_ index: String, in range: KeyRange) throws(StorageError) -> Int {
        try snapshot.countIndex(index, in: range)
    }

    func scan(
        _ range: KeyRange,
        _ direction: ScanDirection,
        _ visit: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
    ) throws {
        try snapshot.scan(range, direction) { key, value in
            counter.countValue()
            return try visit(key, value)
        }
    }

    func scanKeys(
        _ range: KeyRange,
        _ direction: ScanDirection,
        _ visit: (_ key: RawSpan) throws -> Bool
    ) throws {
        try snapshot.scanKeys(range, direction) { key in
            counter.countKey()
            return try visit(key)
        }
    }

    func scanIndex(
        _ index: String,
        _ range: KeyRange,
        _ direction: ScanDirection,
        _ visit: (_ indexKey: RawSpan, _ key: RawSpan) throws -> Bool
    ) throws {
        try snapshot.scanIndex(index, range, direction) { indexKey, key in
            counter.countKey()
            return try visit(indexKey, key)
        }
    }

    func scanIndex(
        _ index: String,
        at indexKey: [UInt8],
        _ keys: KeyRange,
        _ direction: ScanDirection,
        _ visit: (_ key: RawSpan) throws -> Bool
    ) throws {
        try snapshot.scanIndex(index, at: indexKey, keys, direction) { key in
            counter.countKey()
            return try visit(key)
        }
    }
}
