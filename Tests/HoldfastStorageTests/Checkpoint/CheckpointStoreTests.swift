import HoldfastStorage
import HoldfastTesting
import Testing

/// Stores that are opened from a checkpoint.
@Suite struct CheckpointStoreTests {
    static let checkpoint = TestStore.path + "/checkpoint"

    /// A closed store of 60 records, some of which were replaced or removed behind the checkpoint.
    private func filled() async throws -> (store: TestStore, contents: [String: String]) {
        let store = TestStore()
        let storage = try await store.open()
        for number in 1...60 { try await storage.put(TestStore.filler(number), for: "k\(number)") }
        try await storage.checkpoint()
        try await storage.put("new", for: "k7")
        try await storage.delete("k8")
        try await storage.put("added", for: "l")
        let contents = try storage.contents()
        try await storage.close()
        return (store, contents)
    }

    @Test func openingReadsTheCheckpointAndTheTailAlone() async throws {
        let (store, contents) = try await filled()
        let before = store.disk.counters.bytesRead
        let storage = try await store.open()
        #expect(store.disk.counters.bytesRead - before < 100 << 10)
        let report = storage.recoveryReport
        #expect(report.checkpoint == SequenceNumber(60))
        #expect(!report.ignoredCheckpoint)
        #expect(report.bytes < 10_000)
        #expect(report.last == SequenceNumber(63))
        #expect(try storage.contents() == contents)
        #expect(try storage.changes(after: .zero, limit: 100).count == 63)
        #expect(try storage.changes(after: SequenceNumber(60), limit: 9).count == 3)
        try await storage.close()
    }

    @Test func closingWritesACheckpointWhenMuchWasWritten() async throws {
        for bytes in [500, 50_000] as [UInt64] {
            let store = TestStore(checkpointBytes: bytes)
            let storage = try await store.open()
            for number in 1...10 {
                try await storage.put(TestStore.filler(number), for: "\(number)")
            }
            let contents = try storage.contents()
            try await storage.close()
            let again = try await store.open()
            let written = again.recoveryReport.checkpoint
            #expect(written == (bytes == 500 ? SequenceNumber(10) : nil))
            #expect(again.recoveryReport.wasClosed)
            #expect(try again.contents() == contents)
            try await again.close()
        }
    }

    /// C16.
    @Test func afterAKillOpeningReadsTheTailAlone() async throws {
        let store = TestStore(checkpointBytes: 4_096)
        let storage = try await store.open()
        for number in 1...200 {
            try await storage.put(TestStore.filler(number), for: "k\(number % 50)")
            if number % 10 == 0 { await store.scheduler.run(for: .seconds(2)) }
        }
        let contents = try storage.contents()
        let killed = TestStore(store.disk.image().afterKill())
        let again = try await killed.open()
        #expect(again.recoveryReport.checkpoint != nil)
        #expect(again.recoveryReport.bytes < 12_000)
        #expect(again.recoveryReport.segments > 3)
        #expect(try again.contents() == contents)
    }

    /// C17, and the journal is read in its place.
    @Test func aCheckpointThatIsOfNoUseIsIgnoredAndMadeAnew() async throws {
        let (store, contents) = try await filled()
        let bytes = try store.disk.contents(of: Self.checkpoint)
        var cases: [[UInt8]?] = [nil, [], Array(bytes.prefix(4_096)), bytes.dropLast()]
        for offset in [0, 20, 40, 50, 60, 66, 75, 82, 100, 127, bytes.count - 5] {
            var damaged = bytes
            damaged[offset] ^= 4
            cases.append(damaged)
        }
        for damaged in cases {
            let copy = TestStore(store.disk.image().afterKill())
            if let damaged {
                try copy.disk.replace(Self.checkpoint, with: damaged)
            } else {
                try copy.disk.remove(Self.checkpoint)
            }
            let storage = try await copy.open()
            #expect(storage.recoveryReport.checkpoint == nil)
            #expect(storage.recoveryReport.ignoredCheckpoint == (damaged != nil))
            #expect(try storage.contents() == contents)
            try await storage.checkpoint()
            try await storage.close()
            let again = try await copy.open()
            #expect(again.recoveryReport.checkpoint == SequenceNumber(63))
            #expect(try again.contents() == contents)
        }
    }

    @Test func aDamagedPageThatOpeningNeedsIsNoMatter() async throws {
        let (store, contents) = try await filled()
        let bytes = try store.disk.contents(of: Self.checkpoint)
        for offset in stride(from: 4_096, to: bytes.count, by: 64) {
            let copy = TestStore(store.disk.image().afterKill())
            try copy.disk.flipBit(offset * 8 + 77, of: Self.checkpoint)
            let storage = try await copy.open()
            if storage.recoveryReport.ignoredCheckpoint {
                #expect(try storage.contents() == contents)
            }
        }
    }

    @Test func anOlderCheckpointIsAsGoodAsANewOne() async throws {
        let (store, _) = try await filled()
        let old = try store.disk.contents(of: Self.checkpoint)
        let storage = try await store.open()
        for number in 1...40 { try await storage.put(TestStore.filler(number), for: "m\(number)") }
        try await storage.checkpoint()
        let contents = try storage.contents()
        try await storage.close()
        try store.disk.replace(Self.checkpoint, with: old)
        let again = try await store.open()
        #expect(again.recoveryReport.checkpoint == SequenceNumber(60))
        #expect(try again.contents() == contents)
    }

    /// The checkpoint's number was durable: it tells on a journal that lacks it.
    @Test func aJournalThatEndsBeforeItsCheckpointIsDamaged() async throws {
        let (store, _) = try await filled()
        let old = store.disk.image().afterKill()
        let storage = try await store.open()
        for number in 1...40 { try await storage.put(TestStore.filler(number), for: "m\(number)") }
        try await storage.checkpoint()
        try await storage.close()
        try old.replace(Self.checkpoint, with: store.disk.contents(of: Self.checkpoint))
        #expect(await code { _ = try await TestStore(old).open() } == .corruption)
    }

    /// A journal restored from a copy and written on beside a checkpoint of what came of the other.
    @Test func aJournalOfAnotherHistoryIsNotTakenForTheCheckpoints() async throws {
        let (store, _) = try await filled()
        let other = store.disk.image().afterKill()
        let storage = try await store.open()
        for number in 1...4 { try await storage.put("one \(number)", for: "m\(number)") }
        try await storage.checkpoint()
        try await storage.close()
        let copy = TestStore(other)
        let second = try await copy.open()
        for number in 1...9 { try await second.put("two \(number)", for: "m\(number)") }
        let contents = try second.contents()
        try await second.close()
        try other.replace(Self.checkpoint, with: store.disk.contents(of: Self.checkpoint))
        let again = try await copy.open()
        #expect(again.recoveryReport.ignoredCheckpoint)
        #expect(try again.contents() == contents)
    }

    @Test func aSegmentCutBeforeTheCheckpointsPlaceIsDamage() async throws {
        let store = TestStore()
        let storage = try await store.open()
        for number in 1...10 { try await storage.put(TestStore.filler(number), for: "k\(number)") }
        try await storage.checkpoint()
        try await storage.close()
        try store.disk.truncate(TestStore.segment(1), to: 9_000)
        #expect(await code { _ = try await store.open() } == .corruption)
        try store.disk.remove(TestStore.segment(1))
        #expect(await code { _ = try await store.open() } == .corruption)
    }
}
