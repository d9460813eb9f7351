import HoldfastStorage
import HoldfastTesting
import Testing

/// What commits ask of the disk, counted and in order.
@Suite struct CommitCostTests {
    @Test func aSyncedCommitIsOneWriteAndOneSyncAndABufferedOneIsOneWrite() async throws {
        let store = TestStore()
        let storage = try await store.open()
        try await storage.put("first", for: "key")
        for (durability, syncs) in [(Durability.synced, 1), (.ordered, 0), (.buffered, 0)] {
            let before = store.disk.counters
            try await storage.put("value", for: "key", durability)
            let after = store.disk.counters
            #expect(after.writes - before.writes == 1)
            #expect(after.syncs - before.syncs == syncs)
            #expect(after.directorySyncs == before.directorySyncs)
            // A frame's header, an entry's, 3 bytes of key, 5 of value, and the padding.
            #expect(after.bytesWritten - before.bytesWritten == 48 + 16)
        }
    }

    @Test func aTransactionThatWritesNothingCostsNothing() async throws {
        let store = TestStore()
        let storage = try await store.open()
        try await storage.put("value", for: "key")
        let before = store.disk.counters
        let (count, number) = try await storage.write(.synced) { transaction in transaction.count }
        #expect(count == 1 && number == SequenceNumber(1))
        #expect(store.disk.counters.mutations == before.mutations)
    }

    @Test func everyNewNameIsFollowedByASyncOfItsDirectory() async throws {
        let store = TestStore()
        store.disk.startRecording()
        let storage = try await store.open()
        for number in 1...45 { try await storage.put(TestStore.filler(number), for: "\(number)") }
        try await storage.close()
        let calls = store.disk.recording.calls.filter(\.isMutating)
        var renames = 0
        for (index, call) in calls.enumerated() where call.kind == .rename {
            renames += 1
            #expect(calls[index - 1].kind == .sync, "\(call): its content is durable first")
            #expect(calls[index + 1].kind == .syncDirectory, "\(call)")
            #expect(calls[index + 1].path == TestStore.path)
        }
        #expect(renames >= 5)
    }

    @Test func theNextSegmentIsDurableBeforeTheLastOneIsSealed() async throws {
        let store = TestStore()
        let storage = try await store.open()
        store.disk.startRecording()
        for number in 1...20 { try await storage.put(TestStore.filler(number), for: "\(number)") }
        let calls = store.disk.recording.calls.filter(\.isMutating)
        let prepared = try #require(calls.firstIndex { $0.kind == .rename })
        let header = try #require(
            calls.firstIndex { $0.kind == .write && $0.path == TestStore.segment(2) }
        )
        #expect(calls[prepared + 1].kind == .syncDirectory)
        // Seal, sync, header, sync, and only then a frame.
        #expect(calls[header - 2].kind == .write && calls[header - 2].path == TestStore.segment(1))
        #expect(calls[header - 1].kind == .sync && calls[header - 1].path == TestStore.segment(1))
        #expect(calls[header + 1].kind == .sync && calls[header + 1].path == TestStore.segment(2))
        #expect(prepared + 1 < header - 2)
    }

    @Test func theLastCommitIsProvenWithinTwentyMilliseconds() async throws {
        let store = TestStore()
        let storage = try await store.open()
        try await storage.put("first", for: "first")
        try await storage.put("last", for: "last")
        let unproven = TestStore(store.disk.image().afterKill())
        try unproven.disk.flipBit((8_192 + 64 + 60) * 8, of: TestStore.segment(1))
        // Indistinguishable from a write that never finished: nothing later speaks of it.
        #expect(try await unproven.open().contents() == ["first": "first"])

        await store.scheduler.run(for: .milliseconds(20))
        let proven = TestStore(store.disk.image().afterKill())
        try proven.disk.flipBit((8_192 + 72 + 60) * 8, of: TestStore.segment(1))
        #expect(await code { _ = try await proven.open() } == .corruption)
    }

    @Test func aBufferedCommitSurvivesPowerLossAfterASecond() async throws {
        let store = TestStore()
        let storage = try await store.open()
        try await storage.put("value", for: "key", .buffered)
        await store.scheduler.run(for: .seconds(1))
        for seed in 0..<20 as Range<UInt64> {
            let after = try await TestStore(store.disk.image().afterPowerLoss(seed: seed)).open()
            #expect(try after.value(for: "key") == "value")
        }
    }
}
