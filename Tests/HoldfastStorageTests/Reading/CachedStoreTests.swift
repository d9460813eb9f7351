import HoldfastStorage
import HoldfastTesting
import Testing

@Suite("Reads through the cache")
struct CachedStoreTests {
    /// A store whose values say which key and which write they are of.
    private static func put(_ key: Int, _ write: Int, in transaction: any StorageTransaction) throws
    {
        let text = "key \(key) write \(write) " + String(repeating: "x", count: write % 90)
        try transaction.put(Array(text.utf8), for: Array("key \(key)".utf8))
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func readersBesideFailingWritersNeverSeeAnotherRecordsBytes(seed: UInt64) async throws {
        let store = TestStore()
        let storage = try await store.open()
        _ = try await storage.write(.synced) { transaction in
            for key in 0..<12 { try Self.put(key, 0, in: transaction) }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for reader in 0..<3 {
                group.addTask { try await Self.read(storage, seed: seed &* 10 &+ UInt64(reader)) }
            }
            for writer in 0..<3 {
                group.addTask {
                    try await Self.write(storage, store.disk, seed: seed &* 100 &+ UInt64(writer))
                }
            }
            try await group.waitForAll()
        }
        let statistics = try #require(storage.cacheStatistics)
        #expect(statistics.hits > 0)
        #expect(statistics.memoryBytes <= store.configuration.valueCacheBytes)
        let kept = try storage.contents()
        try await storage.close()
        let reopened = try await store.open()
        #expect(try reopened.contents() == kept)
    }

    private static func read(_ storage: JournalStorage, seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<150 {
            let snapshot = try storage.snapshot()
            for _ in 0..<4 {
                let key = "key \(Int.random(in: 0..<12, using: &random))"
                guard let value = try snapshot.value(for: Array(key.utf8)) else { continue }
                let text = String(decoding: value, as: UTF8.self)
                #expect(text.hasPrefix(key + " write "), "seed \(seed)")
                // A snapshot does not change, whatever happens meanwhile.
                #expect(try snapshot.value(for: Array(key.utf8)) == value, "seed \(seed)")
            }
            await Task.yield()
        }
    }

    private static func write(
        _ storage: JournalStorage,
        _ disk: SimulatedDisk,
        seed: UInt64
    ) async throws {
        var random = SplitMix64(seed: seed)
        for write in 0..<60 {
            let fails = Int.random(in: 0..<4, using: &random) == 0
            if fails {
                let skipped = Int.random(in: 0...2, using: &random)
                disk.inject(DiskFault(.error(.noSpace), on: [.write], after: skipped))
            }
            let key = Int.random(in: 0..<12, using: &random)
            let level: Durability = .random(in: [.synced, .buffered], using: &random)
            do {
                _ = try await storage.write(level) { transaction in
                    try put(key, write, in: transaction)
                    try put((key + 1) % 12, write, in: transaction)
                }
            } catch let error as StorageError where error.code == .diskFull {
                // Another writer may have met this one's fault.
            }
            if write % 10 == 9 { disk.removeFaults() }
        }
        disk.removeFaults()
    }

    @Test func theRetryOfAFailedCommitIsReadAndNotWhatFailed() async throws {
        let store = TestStore()
        let storage = try await store.open()
        try await storage.put("old", for: "key")
        for round in 1...20 {
            store.disk.inject(DiskFault(.error(.noSpace), on: [.write]))
            #expect(await code { try await storage.put("bad \(round)", for: "key") } == .diskFull)
            try await storage.put("new \(round)", for: "key")
            #expect(try storage.value(for: "key") == "new \(round)")
            #expect(try storage.contents() == ["key": "new \(round)"])
        }
    }

    @Test func readingWhatWasJustCommittedReadsNoFile() async throws {
        let store = TestStore()
        let storage = try await store.open()
        try await storage.put("1", for: "first")
        try await storage.put("2", for: "second")
        let before = store.disk.counters.reads
        #expect(try storage.contents() == ["first": "1", "second": "2"])
        #expect(try storage.value(for: "first") == "1")
        #expect(store.disk.counters.reads == before)
    }

    @Test func withoutACacheEveryReadIsOfTheFile() async throws {
        let store = TestStore()
        var configuration = store.configuration
        configuration.valueCacheBytes = 0
        let storage = try await JournalStorage.open(
            at: TestStore.path,
            configuration: configuration
        )
        try await storage.put("1", for: "first")
        #expect(storage.cacheStatistics == nil)
        let before = store.disk.counters.reads
        for _ in 1...3 { #expect(try storage.value(for: "first") == "1") }
        #expect(store.disk.counters.reads == before + 3)
    }
}

extension Durability {
    fileprivate static func random(
        in levels: [Durability],
        using random: inout SplitMix64
    ) -> Durability {
        levels.randomElement(using: &random) ?? .synced
    }
}
