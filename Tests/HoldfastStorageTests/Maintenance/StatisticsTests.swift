import HoldfastStorage
import HoldfastTesting
import Testing

@Suite struct StatisticsTests {
    @Test func figuresAreThoseOfTheDiskAndTheJournal() async throws {
        let store = try await TestStore.filled()
        let storage = try await store.open()
        await store.scheduler.run(for: .seconds(2))
        let statistics = try storage.statistics()
        #expect(statistics.last.rawValue == 45 && statistics.durable.rawValue == 45)
        #expect(statistics.records == 45)
        let report = try store.verify()
        let sizes = try store.disk.paths.map { try store.disk.contents(of: $0).count }
        let size = UInt64(sizes.reduce(0, +))
        #expect(statistics.segments == report.segments)
        let headers = UInt64(report.segments) * 8_192
        #expect(statistics.journalBytes == report.bytes + headers)
        #expect(
            statistics.files.bytes == size
        )
        #expect(statistics.files.segmentBytes >= statistics.journalBytes)
        #expect(statistics.files.preparedBytes > 0)
        #expect(!statistics.isDiskFull)
    }

    @Test func supersededVersionsAreGarbage() async throws {
        let store = TestStore()
        let storage = try await store.open()
        #expect(try storage.statistics().liveBytes == 0)
        for _ in 1...50 { try await storage.put(TestStore.filler(1), for: "key") }
        let statistics = try storage.statistics()
        #expect(statistics.records == 1)
        #expect(statistics.liveBytes > 190 && statistics.liveBytes < 230)
        #expect(statistics.garbageRatio > 0.9 && statistics.garbageRatio < 1)
    }

    @Test func whatIsWrittenIsCounted() async throws {
        let store = try await TestStore.filled(1)
        let storage = try await store.open()
        let before = store.disk.counters
        #expect(try storage.statistics().activity.writes == 0)
        for number in 1...10 { try await storage.put("value", for: "\(number)", .buffered) }
        for number in 1...5 { try await storage.put("value", for: "\(number)") }
        let activity = try storage.statistics().activity
        #expect(activity.commits == 15 && activity.groups == 15)
        #expect(activity.syncs == 5)
        #expect(activity.writes == UInt64(store.disk.counters.writes - before.writes))
        #expect(
            activity.bytesWritten == UInt64(store.disk.counters.bytesWritten - before.bytesWritten)
        )
    }

    @Test func aFullDiskIsSaidUntilACommitFindsRoom() async throws {
        let store = try await TestStore.filled(1)
        let storage = try await store.open()
        store.disk.inject(DiskFault(.error(.noSpace), on: [.write]))
        #expect(await code { try await storage.put("value", for: "a") } == .diskFull)
        #expect(try storage.statistics().isDiskFull)
        try await storage.put("value", for: "a")
        #expect(try !storage.statistics().isDiskFull)
    }

    @Test func aReaderHasTheSameFiguresAndHasWrittenNothing() async throws {
        let store = try await TestStore.filled()
        let storage = try await store.open()
        let (own, read) = (try storage.statistics(), try await store.follow().statistics())
        #expect(read.last == own.last && read.records == own.records)
        #expect(read.liveBytes == own.liveBytes && read.segments == own.segments)
        #expect(read.durable == own.durable)
        #expect(read.activity.writes == 0 && read.activity.commits == 0)
        try await storage.close()
        #expect(await code { _ = try storage.statistics() } == .closed)
    }

    @Test func readsThatNeedNoDiskAreHits() async throws {
        let store = try await TestStore.filled()
        let storage = try await store.open()
        for _ in 1...4 { _ = try storage.value(for: "key 7") }
        let cache = try storage.statistics().cache
        #expect(cache.hits >= 2 && cache.misses >= 1 && cache.values >= 1)
    }
}
