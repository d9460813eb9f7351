import HoldfastStorage
import Synchronization
import Testing

@Suite struct StorageRootTests {
    private let source = WatchedSource()

    private func index(_ name: String, over prefix: [UInt8] = []) -> IndexDefinition {
        IndexDefinition(name: name, version: 1, range: .prefix(prefix)) { _, value, emit in
            emit(value)
        }
    }

    private func put(_ root: inout StorageRoot, _ key: [UInt8], _ value: [UInt8]) throws {
        let value = unsafe value.span.bytes
        try unsafe root.put(value, value, for: key.span.bytes, reading: source)
    }

    private func entries(_ root: StorageRoot, _ name: String) throws -> [[UInt8]] {
        var entries: [[UInt8]] = []
        try TreeSnapshot(root, reading: source).scanIndex(name, .all, .forward) { indexKey, key in
            entries.append(indexKey.bytes + [0] + key.bytes)
            return true
        }
        return entries
    }

    @Test func oldValuesAreReadOnlyWhereAnIndexCoversTheKey() throws {
        var root = StorageRoot()
        try root.setIndexes([index("a", over: [1])], reading: source)
        try put(&root, [1], [5])
        try put(&root, [2], [5])
        try put(&root, [2], [6])
        #expect(try unsafe root.delete(bytes(2).span.bytes, reading: source))
        #expect(source.reads == [])
        try put(&root, [1], [6])
        #expect(source.reads == [[1]])
        #expect(try unsafe !root.delete(bytes(3).span.bytes, reading: source))
        #expect(try unsafe root.delete(bytes(1).span.bytes, reading: source))
        #expect(source.reads == [[1], [1]])
    }

    @Test func anUnreadableOldValueFailsTheChangeAndNothingElse() throws {
        var root = StorageRoot()
        try root.setIndexes([index("a")], reading: source)
        try put(&root, [1], [5])
        try put(&root, [2], [6])
        source.damage([1])
        for attempt in 0..<2 {
            let error = #expect(throws: StorageError.self) {
                if attempt == 0 { try put(&root, [1], [7]) }
                try unsafe root.delete(bytes(1).span.bytes, reading: source)
            }
            #expect(error?.code == .corruption)
        }
        try put(&root, [2], [8])
        source.damage([])
        #expect(try entries(root, "a") == [[5, 0, 1], [8, 0, 2]])
        #expect(root.records.count == 2)
    }

    @Test func anIndexThatCannotBeBuiltLeavesTheIndexesAsTheyWere() throws {
        var root = StorageRoot()
        try root.setIndexes([index("a", over: [1])], reading: source)
        try put(&root, [1], [5])
        try put(&root, [2], [6])
        source.damage([2])
        let error = #expect(throws: StorageError.self) {
            try root.setIndexes([index("b")], reading: source)
        }
        #expect(error?.code == .corruption)
        #expect(root.indexes.map(\.definition.name) == ["a"])
        #expect(try entries(root, "a") == [[5, 0, 1]])
        try root.setIndexes([index("c", over: [1]), index("a")], reading: source)
        #expect(root.indexes.map(\.definition.name) == ["c", "a"])
    }

    @Test func theLaterOfTwoDefinitionsOfOneNameCounts() throws {
        var root = StorageRoot()
        try put(&root, [1], [5])
        let later = IndexDefinition(name: "a", version: 2) { key, _, emit in emit(key) }
        try root.setIndexes([index("a"), later], reading: source)
        #expect(root.indexes.count == 1)
        #expect(try entries(root, "a") == [[1, 0, 1]])
    }

    @Test func aLogThatRefusesAPutLeavesTheTransactionAsItWas() throws {
        let transaction = TreeTransaction(StorageRoot(), log: RefusingLog())
        try unsafe transaction.put(bytes(1).span.bytes, for: bytes(1).span.bytes)
        for refused in [RefusingLog.refusedBefore, RefusingLog.refusedAfter] {
            let error = #expect(throws: StorageError.self) {
                try unsafe transaction.put(bytes(refused).span.bytes, for: bytes(2).span.bytes)
            }
            #expect(error?.code == .transactionTooLarge)
            let deletion = #expect(throws: StorageError.self) {
                try unsafe transaction.put(bytes(3).span.bytes, for: bytes(refused).span.bytes)
                try unsafe transaction.delete(bytes(refused).span.bytes)
            }
            #expect(deletion?.code == .transactionTooLarge)
        }
        try unsafe transaction.put(bytes(4).span.bytes, for: bytes(4).span.bytes)
        let (root, log) = transaction.end()
        #expect(log.keys == [[1], [RefusingLog.refusedBefore], [RefusingLog.refusedAfter], [4]])
        #expect(root.records.count == 4)
        #expect(try root.records.keys() == log.keys.sorted { $0[0] < $1[0] })
    }
}

private func bytes(_ byte: UInt8) -> [UInt8] { [byte] }

/// A source whose payload is the value, which notes what is read and can refuse keys.
private final class WatchedSource: ValueSource {
    private let state = Mutex<(reads: [[UInt8]], damaged: [UInt8])>(([], []))

    var reads: [[UInt8]] { state.withLock { $0.reads } }

    func damage(_ key: [UInt8]) { state.withLock { $0.damaged = key } }

    func withValue<Result>(
        at payload: RawSpan,
        for key: RawSpan,
        _ body: (RawSpan) -> Result
    ) throws(StorageError) -> Result {
        let key = key.bytes
        let isDamaged = state.withLock { state in
            state.reads.append(key)
            return state.damaged == key
        }
        if isDamaged { throw StorageError(.corruption, "The value was damaged by the test.") }
        return body(payload)
    }

    func value(at payload: RawSpan, for key: RawSpan) throws(StorageError) -> [UInt8] {
        try withValue(at: payload, for: key) { $0.bytes }
    }
}

/// A log that refuses two values, before or after it has appended them, and the removal of their
/// keys.
private struct RefusingLog: TransactionLog {
    static let refusedBefore: UInt8 = 100
    static let refusedAfter: UInt8 = 101

    private(set) var keys: [[UInt8]] = []

    var mark: Int { keys.count }

    mutating func rollBack(to mark: Int) { keys.removeLast(keys.count - mark) }

    private static var refusal: StorageError {
        StorageError(.transactionTooLarge, "The test's log takes no more.")
    }

    mutating func appendPut(
        _ value: RawSpan,
        for key: RawSpan,
        _ record: (RawSpan) throws(StorageError) -> Void
    ) throws(StorageError) {
        if value.bytes == [Self.refusedBefore] { throw Self.refusal }
        keys.append(key.bytes)
        if value.bytes == [Self.refusedAfter] { throw Self.refusal }
        try record(value)
    }

    mutating func appendDelete(
        _ key: RawSpan,
        hiding hidden: ClosedRange<UInt32>
    ) throws(StorageError) -> Tombstone? {
        keys.append(key.bytes)
        throw Self.refusal
    }

    func withValue<Result>(
        at payload: RawSpan,
        for key: RawSpan,
        _ body: (RawSpan) -> Result
    ) throws(StorageError) -> Result {
        body(payload)
    }

    func value(at payload: RawSpan, for key: RawSpan) throws(StorageError) -> [UInt8] {
        payload.bytes
    }
}
