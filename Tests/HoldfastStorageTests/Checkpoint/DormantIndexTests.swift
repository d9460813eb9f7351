import HoldfastStorage
import HoldfastTesting
import Synchronization
import Testing

/// Indexes that are stored in a checkpoint and declared again.
@Suite struct DormantIndexTests {
    /// An index of values by their first byte, and one of two more; `calls` counts records.
    private static func index(_ version: UInt32 = 1, _ calls: Calls? = nil) -> IndexDefinition {
        IndexDefinition(name: "first", version: version) { _, value, emit in
            calls?.count()
            emit(value.extracting(first: min(1, value.byteCount)))
            emit(value.extracting(first: min(3, value.byteCount)))
        }
    }

    private func entries(_ storage: any Storage) throws -> [String] {
        var entries: [String] = []
        try storage.snapshot().scanIndex("first", .all, .forward) { indexKey, key in
            entries.append("\(indexKey.bytes) \(key.bytes)")
            return true
        }
        return entries
    }

    private func closed(_ changes: (JournalStorage) async throws -> Void) async throws -> TestStore
    {
        let store = TestStore()
        let storage = try await store.open()
        try await storage.setIndexes([Self.index()])
        for number in 1...50 { try await storage.put("\(number) value", for: "k\(number)") }
        try await storage.checkpoint()
        try await changes(storage)
        try await storage.close()
        return store
    }

    private func change(_ storage: JournalStorage) async throws {
        try await storage.put("x", for: "k7")
        try await storage.put("y", for: "k7")
        try await storage.delete("k8")
        try await storage.delete("k9")
        try await storage.put("9 again", for: "k9")
        try await storage.put("new", for: "l")
        try await storage.delete("l")
        try await storage.put("newer", for: "m")
        _ = try await storage.write(.synced) { transaction in
            try transaction.put(Array("first".utf8), for: Array("k1".utf8))
            try transaction.put(Array("second".utf8), for: Array("k1".utf8))
            try transaction.put(Array("gone".utf8), for: Array("k2".utf8))
            try transaction.delete(Array("k2".utf8))
        }
    }

    @Test func anIndexDeclaredAsItWasIsBroughtUpToDateAndNotBuilt() async throws {
        let store = try await closed(change)
        let calls = Calls()
        let storage = try await store.open()
        #expect(storage.recoveryReport.checkpoint == SequenceNumber(50))
        try await storage.setIndexes([Self.index(1, calls)])
        #expect((1...20).contains(calls.value))
        let woken = try entries(storage)
        try await storage.setIndexes([Self.index(2, calls)])
        #expect(calls.value > 48)
        #expect(try entries(storage) == woken)
    }

    @Test func commitsBeforeTheDeclarationAreCaughtUpToo() async throws {
        let store = try await closed { _ in }
        let calls = Calls()
        let storage = try await store.open()
        try await change(storage)
        try await storage.setIndexes([Self.index(1, calls)])
        #expect(calls.value < 20)
        let woken = try entries(storage)
        try await storage.put("z", for: "k3")
        let changed = try entries(storage)
        try await storage.setIndexes([Self.index(2)])
        #expect(try entries(storage) == changed)
        #expect(woken != changed)
    }

    @Test func anotherVersionIsBuiltAndAnUndeclaredIndexIsDropped() async throws {
        let store = try await closed { _ in }
        let calls = Calls()
        var storage = try await store.open()
        try await storage.setIndexes([Self.index(2, calls)])
        #expect(calls.value == 50)
        try await storage.checkpoint()
        try await storage.close()
        storage = try await store.open()
        try await storage.setIndexes([])
        #expect(try storage.snapshot().indexNames == [])
        try await storage.setIndexes([Self.index(2, calls)])
        #expect(calls.value == 100)
    }

    /// What it took to build an index counts as much as commits.
    @Test func anIndexThatWasBuiltIsWrittenOnClose() async throws {
        let store = TestStore(checkpointBytes: 1_500)
        var storage = try await store.open()
        for number in 1...50 { try await storage.put("\(number) value", for: "k\(number)") }
        try await storage.close()
        storage = try await store.open()
        try await storage.setIndexes([Self.index()])
        try await storage.close()
        let calls = Calls()
        storage = try await store.open()
        try await storage.setIndexes([Self.index(1, calls)])
        #expect(calls.value == 0)
        #expect(try entries(storage).count > 50)
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func randomCommitsCheckpointsAndReopeningsEqualADictionary(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        var expected: [String: String] = [:]
        let store = TestStore(checkpointBytes: 2_000)
        var storage = try await store.open()
        try await storage.setIndexes([Self.index()])
        for step in 0..<300 {
            let key = "k\(random.next(below: 40))"
            switch random.next(below: 12) {
            case 0:
                try await storage.close()
                storage = try await store.open()
                if random.next(below: 2) == 0 { try await storage.setIndexes([Self.index()]) }
            case 1: try await storage.checkpoint()
            case 2: await store.scheduler.run(for: .seconds(2))
            case 3...5:
                try await storage.delete(key)
                expected[key] = nil
            default:
                let value = "\(random.next(below: 30)) " + String(repeating: "v", count: step)
                try await storage.put(value, for: key)
                expected[key] = value
            }
        }
        try await storage.setIndexes([Self.index()])
        #expect(try storage.contents() == expected)
        let found = try entries(storage)
        try await storage.setIndexes([Self.index(9)])
        #expect(try entries(storage) == found)
    }
}

/// Counts from any thread.
final class Calls: Sendable {
    private let counter = Mutex(0)

    var value: Int { counter.withLock { $0 } }

    func count() { counter.withLock { $0 += 1 } }
}
