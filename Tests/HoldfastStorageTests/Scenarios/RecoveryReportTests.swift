import HoldfastStorage
import HoldfastTesting
import Testing

/// What opening says of what it found, and how exactly it names what is missing; scenarios C9, C15.
@Suite struct RecoveryReportTests {
    /// Three durable commits and one that nothing vouches for, and the process killed.
    private func killed() async throws -> TestStore {
        let store = TestStore()
        let storage = try await store.open()
        for number in 1...3 { try await storage.put(TestStore.filler(number), for: "\(number)") }
        try await storage.put("buffered", for: "4", .buffered)
        return TestStore(store.disk.image().afterKill())
    }

    @Test func theReportSaysWhatOpeningFound() async throws {
        let store = try await killed()
        let storage = try await store.open()
        let report = storage.recoveryReport
        #expect(!report.isNew)
        #expect(!report.wasClosed)
        #expect(report.last == SequenceNumber(4))
        #expect(report.proven == SequenceNumber(3))
        #expect(report.rewritten == 1)
        #expect(!report.hadTornTail)
        #expect(!report.isIncomplete)
        #expect(report.segments == 1)
        #expect(report.bytes > 800)
        try await storage.close()
        let again = try await store.open().recoveryReport
        #expect(again.wasClosed)
        #expect(again.proven == SequenceNumber(4))
        #expect(again.rewritten == 0)
        #expect(again.segments == 2)
    }

    @Test func aTornTailIsReportedAndTheCommitsBeforeItAreThere() async throws {
        let store = try await killed()
        let path = TestStore.segment(1)
        let end = try #require(try store.disk.contents(of: path).lastIndex { $0 != 0 })
        try store.disk.fill(end + 64..<end + 80, of: path, with: 0xA5)
        let storage = try await store.open()
        #expect(storage.recoveryReport.hadTornTail)
        #expect(storage.recoveryReport.last == SequenceNumber(4))
        #expect(try storage.contents().count == 4)
    }

    /// C15: what an interrupted step left goes at the next open, and for good.
    @Test func staleTemporaryFilesGoAtTheNextOpen() async throws {
        let store = try await TestStore.filled()
        let number = try #require(store.disk.paths.filter { $0.hasSuffix(".segment") }.max())
        let next = TestStore.segment(
            Int(number.dropLast(8).suffix(2), radix: 16).map { $0 + 1 } ?? 0
        )
        let stale = ["store/identity.tmp", "store/closed.tmp", next + ".tmp"]
        for path in stale { try store.disk.replace(path, with: [1, 2, 3]) }
        let storage = try await store.open()
        #expect(try storage.contents().count == 45)
        #expect(store.disk.paths.allSatisfy { !$0.hasSuffix(".tmp") })
        var nothing = CrashEnumerator(limits: CrashLimits(independentSectors: 0))
        let dark = TestStore(store.disk.image().afterPowerLoss(using: &nothing))
        #expect(dark.disk.paths.allSatisfy { !$0.hasSuffix(".tmp") })
        #expect(try await dark.open().contents().count == 45)
    }

    /// C9: not only that something is missing, but what.
    @Test func theCommitsThatASealedSegmentLacksAreNamed() async throws {
        let store = try await TestStore.filled()
        try store.disk.truncate(TestStore.segment(1), to: 8_192 + 264)
        let error = await #expect(throws: StorageError.self) { try await store.open() }
        #expect(error?.code == .corruption)
        #expect(error?.message.contains("Commits 2 to") == true)
        #expect(error?.path == TestStore.segment(1))
        #expect(error?.offset == 8_192 + 264)
    }

    /// Two histories of one store, as after going on from a copy: their segments do not mix, though
    /// store, numbers and lengths are the same.
    @Test func aSegmentOfAnotherHistoryOfTheSameStoreIsNamed() async throws {
        let first = try await TestStore.filled(10)
        let second = TestStore(first.disk.image().afterKill())
        for (store, letter) in [(first, "a"), (second, "b")] {
            let storage = try await store.open()
            for number in 11...60 {
                let value = String(TestStore.filler(number).dropLast()) + letter
                try await storage.put(value, for: "key \(number)")
            }
            try await storage.close()
        }
        let paths = first.disk.paths.filter { $0.hasSuffix(".segment") }
        #expect(paths == second.disk.paths.filter { $0.hasSuffix(".segment") })
        for path in paths.dropFirst() {
            let mixed = TestStore(first.disk.image().afterKill())
            try mixed.disk.replace(path, with: second.disk.contents(of: path))
            try mixed.disk.remove("store/closed")
            let error = await #expect(throws: StorageError.self) { try await mixed.open() }
            #expect(error?.code == .corruption)
        }
    }
}
