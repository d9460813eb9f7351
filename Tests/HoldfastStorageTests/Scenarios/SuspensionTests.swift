import HoldfastStorage
import HoldfastTesting
import Testing

/// Scenario C11: a store that lets its lock go for a while.
@Suite struct SuspensionTests {
    private static let byLength = IndexDefinition(name: "length", version: 1) { _, value, emit in
        let length: [UInt8] = [UInt8(truncatingIfNeeded: value.byteCount)]
        emit(unsafe length.span.bytes)
    }

    @Test func aSuspendedStoreHoldsNoLockAndRefusesCommits() async throws {
        let store = TestStore()
        let storage = try await store.open()
        try await storage.put("1", for: "first", .buffered)
        try await storage.suspend()
        #expect(await code { try await storage.put("2", for: "second") } == .suspended)
        #expect(try storage.value(for: "first") == "1")
        let dark = try await TestStore(store.disk.image().afterPowerLoss(seed: 1)).open()
        #expect(try dark.contents() == ["first": "1"])
        #expect(dark.recoveryReport.wasClosed)
        try await storage.resume()
        #expect(await code { _ = try await store.open() } == .locked)
        try await storage.put("2", for: "second")
        #expect(try storage.contents() == ["first": "1", "second": "2"])
        try await storage.close()
        let last = try await store.open()
        #expect(try last.contents() == ["first": "1", "second": "2"])
    }

    @Test func whatAnotherProcessCommittedMeanwhileIsThereAfterResuming() async throws {
        let store = TestStore()
        let storage = try await store.open()
        try await storage.setIndexes([Self.byLength])
        try await storage.put("1", for: "first")
        let before = try storage.snapshot()
        try await storage.suspend()
        let other = try await store.open()
        for number in 1...60 {
            try await other.put(TestStore.filler(number), for: "key \(number)")
        }
        try await other.delete("first")
        #expect(await code { try await storage.resume() } == .locked)
        #expect(await code { try await storage.put("2", for: "second") } == .suspended)
        try await other.close()
        try await storage.resume()
        #expect(before.sequenceNumber == SequenceNumber(1))
        #expect(try before.value(for: Array("first".utf8)) == Array("1".utf8))
        #expect(try storage.snapshot().count == 60)
        #expect(try storage.snapshot().countIndex("length", in: .all) == 60)
        #expect(try storage.changes(after: SequenceNumber(1), limit: 100).count == 61)
        try await storage.put("2", for: "second")
        #expect(try storage.value(for: "key 60") == TestStore.filler(60))
        try await storage.close()
        #expect(try await store.open().snapshot().count == 61)
    }

    @Test func aProcessThatWasKilledMeanwhileIsRecoveredFrom() async throws {
        let store = TestStore()
        let storage = try await store.open()
        try await storage.put("1", for: "first")
        try await storage.suspend()
        let other = try await store.open()
        try await other.put("2", for: "second")
        let killed = TestStore(store.disk.image().afterKill())
        let reopened = try await killed.open()
        #expect(try reopened.contents() == ["first": "1", "second": "2"])
    }

    @Test func whoWaitsForACommitIsWokenByResuming() async throws {
        let store = TestStore()
        let storage = try await store.open()
        try await storage.put("1", for: "first")
        try await storage.suspend()
        let other = try await store.open()
        try await other.put("2", for: "second")
        try await other.close()
        async let newest = storage.waitForCommit(after: SequenceNumber(1))
        try await storage.resume()
        #expect(try await newest == SequenceNumber(2))
    }

    @Test func aStoreThatWasReplacedMeanwhileIsRefused() async throws {
        let store = TestStore()
        let storage = try await store.open()
        for number in 1...5 { try await storage.put("\(number)", for: "key") }
        let old = try await TestStore.filled(3)
        try await storage.suspend()
        for path in store.disk.paths { try store.disk.unlink(path) }
        for (path, bytes) in try old.files() { try store.disk.replace(path, with: bytes) }
        #expect(await code { try await storage.resume() } == .inputOutput)
        #expect(await code { try await storage.put("6", for: "key") } == .suspended)
    }

    @Test func suspendingTwiceAndResumingWhatIsNotSuspendedDoNothing() async throws {
        let store = TestStore()
        let storage = try await store.open()
        try await storage.resume()
        try await storage.put("1", for: "first")
        try await storage.suspend()
        try await storage.suspend()
        try await storage.resume()
        try await storage.resume()
        try await storage.put("2", for: "second")
        try await storage.suspend()
        try await storage.close()
        #expect(await code { try await storage.suspend() } == .closed)
        #expect(await code { try await storage.resume() } == .closed)
        #expect(try await store.open().contents() == ["first": "1", "second": "2"])
    }

    @Test func nothingIsWrittenWhileTheStoreIsSuspended() async throws {
        let store = TestStore()
        let storage = try await store.open()
        try await storage.put("1", for: "first", .buffered)
        try await storage.suspend()
        let writes = store.disk.counters.writes
        await store.scheduler.run(for: .seconds(5))
        #expect(store.disk.counters.writes == writes)
    }

    @Test func aFailedSyncAtSuspendingLetsTheLockGoAllTheSame() async throws {
        let store = TestStore()
        let storage = try await store.open()
        try await storage.put("1", for: "first", .buffered)
        store.disk.inject(DiskFault(.failedSync(.pagesKept), on: [.sync]))
        #expect(await code { try await storage.suspend() } == .outcomeUnknown)
        store.disk.removeFaults()
        let other = try await store.open()
        #expect(try other.contents() == ["first": "1"])
    }
}
