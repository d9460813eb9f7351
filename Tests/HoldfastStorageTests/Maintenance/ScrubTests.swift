import HoldfastStorage
import HoldfastTesting
import Synchronization
import Testing

@Suite struct ScrubTests {
    @Test func aRoundReadsEverySealedSegmentOnceAndThenPauses() async throws {
        let store = try await TestStore.filled()
        let storage = try await store.open()
        let sealed = try storage.statistics().segments - 1
        storage.startScrub(bytesPerSecond: 4_096, pause: .seconds(1_000))
        #expect(storage.scrubReport.isRunning)
        await store.scheduler.run(for: .seconds(100))
        let report = storage.scrubReport
        #expect(report.rounds == 1 && report.findings == [])
        #expect(report.bytes > UInt64(sealed) * 3_500 && report.bytes < UInt64(sealed) * 4_097)
        await store.scheduler.run(for: .seconds(1_100))
        #expect(storage.scrubReport.rounds == 2)
        #expect(storage.scrubReport.bytes == 2 * report.bytes)
        #expect(try storage.statistics().scrub == storage.scrubReport)
    }

    @Test(arguments: [UInt64(500), 2_000, 8_000])
    func itReadsNoFasterThanItIsTold(_ rate: UInt64) async throws {
        let store = try await TestStore.filled(400)
        let storage = try await store.open()
        await store.scheduler.run(for: .seconds(2))
        storage.startScrub(bytesPerSecond: rate)
        for second in 0..<10 {
            let bytes = storage.scrubReport.bytes
            // A step is a segment here.
            #expect(bytes <= rate * UInt64(second) + 4_096)
            #expect(second < 3 || bytes + 4_096 >= rate * UInt64(second - 1))
            await store.scheduler.run(for: .seconds(1))
        }
    }

    @Test func damageIsReportedOnceAndTheRestIsStillRead() async throws {
        let store = try await TestStore.filled()
        let storage = try await store.open()
        let offset = 8_192 + 2 * 264
        try store.disk.flipBit((offset + 150) * 8, of: TestStore.segment(2))
        let found = Mutex<[Finding]>([])
        storage.startScrub(bytesPerSecond: 1 << 20, pause: .seconds(10)) { finding in
            found.withLock { $0.append(finding) }
        }
        await store.scheduler.run(for: .seconds(25))
        #expect(storage.scrubReport.rounds >= 2)
        let findings = found.withLock { $0 }
        #expect(findings.map(\.kind) == [.frame])
        #expect(findings.first?.file == "0000000000000002.segment")
        #expect(findings.first?.offset == UInt64(offset))
        #expect(storage.scrubReport.findings == findings)
    }

    @Test func whatTheDiskCannotReadIsReported() async throws {
        let store = try await TestStore.filled()
        let storage = try await store.open()
        store.disk.inject(
            DiskFault(.error(.inputOutput), on: [.read], pathSuffix: "2.segment", times: nil)
        )
        storage.startScrub(bytesPerSecond: 1 << 20, pause: .seconds(10))
        await store.scheduler.run(for: .seconds(25))
        let report = storage.scrubReport
        #expect(report.rounds >= 2)
        #expect(report.findings.map(\.kind) == [.unreadable])
        #expect(report.findings.first?.file == "0000000000000002.segment")
    }

    @Test func itEndsWhenItIsStoppedOrTheStoreIsClosed() async throws {
        let store = try await TestStore.filled()
        let storage = try await store.open()
        storage.startScrub(bytesPerSecond: 100)
        await store.scheduler.run(for: .seconds(1))
        storage.stopScrub()
        let report = storage.scrubReport
        #expect(!report.isRunning && report.bytes > 0)
        await store.scheduler.run(for: .seconds(1_000))
        #expect(storage.scrubReport == report)
        storage.startScrub(bytesPerSecond: 100)
        try await storage.close()
        await store.scheduler.run(for: .seconds(1_000))
        #expect(!storage.scrubReport.isRunning)
        #expect(store.scheduler.waitingCount == 0)
    }

    @Test func segmentsThatAreSealedLaterAreReadToo() async throws {
        let store = try await TestStore.filled(10)
        let storage = try await store.open()
        storage.startScrub(bytesPerSecond: 1 << 20, pause: .seconds(10))
        await store.scheduler.run(for: .seconds(1))
        #expect(storage.scrubReport.bytes == 0)
        for number in 1...40 { try await storage.put(TestStore.filler(number), for: "new") }
        await store.scheduler.run(for: .seconds(30))
        #expect(storage.scrubReport.bytes > 10_000)
        #expect(storage.scrubReport.findings == [])
    }
}
