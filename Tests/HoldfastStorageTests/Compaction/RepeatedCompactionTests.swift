import HoldfastStorage
import HoldfastTesting
import Testing

/// A compaction that is interrupted again and again, and what it must not do twice.
@Suite struct RepeatedCompactionTests {
    /// A journal whose first segment stays, and whose second one holds deletes of what is in the
    /// first, and a key that was deleted and put again in one transaction.
    private func store() async throws -> (TestStore, JournalStorage) {
        let store = TestStore()
        let storage = try await store.open()
        for number in 1...24 {
            try await storage.put(TestStore.filler(number), for: "old \(number)")
        }
        for number in 1...40 { try await storage.put(TestStore.filler(number), for: "hot") }
        for number in 1...24 where number % 2 == 0 { try await storage.delete("old \(number)") }
        _ = try await storage.write(.synced) { transaction in
            _ = try transaction.delete(Array("old 1".utf8))
            try transaction.put(Array("again".utf8), for: Array("old 1".utf8))
        }
        for number in 1...60 { try await storage.put(TestStore.filler(number), for: "hot") }
        return (store, storage)
    }

    private func check(_ store: TestStore, _ expected: [String: String]) async throws {
        let killed = try await TestStore(store.disk.image().afterKill()).open()
        #expect(try killed.contents() == expected)
        let follower = try await TestStore(store.disk.image().afterKill()).follow()
        #expect(try follower.contents() == expected)
    }

    @Test(arguments: 0..<40)
    func whatWasMovedTwiceIsNeitherLostNorBack(_ skipped: Int) async throws {
        let (store, storage) = try await store()
        let expected = try storage.contents()
        // Each attempt comes a little further before it fails.
        for attempt in 0..<6 {
            store.disk.inject(
                DiskFault(
                    .error(.noSpace),
                    on: [.write, .allocate],
                    after: skipped + attempt,
                    times: nil
                )
            )
            _ = await code { try await storage.compact() }
            store.disk.removeFaults()
            try await check(store, expected)
        }
        try await storage.compact()
        try await check(store, expected)
        #expect(try storage.contents() == expected)
        #expect(try storage.checkUsage() == [])
        #expect(try store.verify().isIntact)
    }

    @Test func nothingIsMovedBeforeAPostponedRecovery() async throws {
        let store = TestStore()
        let storage = try await store.open()
        for number in 1...60 { try await storage.put(TestStore.filler(number), for: "hot") }
        for number in 1...5 { try await storage.put("\(number)", for: "late \(number)", .buffered) }
        let expected = try storage.contents()
        let killed = TestStore(store.disk.image().afterKill())
        killed.disk.inject(
            DiskFault(.error(.noSpace), on: [.write, .allocate], pathSuffix: ".tmp", times: nil)
        )
        let full = try await killed.open()
        #expect(full.recoveryReport.isIncomplete)
        #expect(await code { try await full.compact() } == .diskFull)
        killed.disk.removeFaults()
        try await full.compact()
        try await full.put("more", for: "more")
        var all = expected
        all["more"] = "more"
        #expect(try full.contents() == all)
        try await check(killed, all)
    }

    @Test func aStoreThatAnotherProcessHasCompactedIsReadAgainWhenResumed() async throws {
        let store = TestStore()
        let storage = try await store.open()
        for number in 1...200 { try await storage.put(TestStore.filler(number), for: "hot") }
        try await storage.suspend()
        let other = try await store.open()
        try await other.compact()
        try await other.close()
        try await storage.resume()
        for number in 1...200 { try await storage.put(TestStore.filler(number), for: "hot") }
        try await storage.compact()
        try await storage.close()
        #expect(try await store.open().contents() == ["hot": TestStore.filler(200)])
    }
}
