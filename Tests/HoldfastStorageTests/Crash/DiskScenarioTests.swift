import HoldfastStorage
import HoldfastTesting
import Testing

/// What users of other stores met, as far as a disk has to be full, failing or cut off for it.
@Suite struct DiskScenarioTests {
    private static let path = "store/0000000000000001.segment"

    private func open(
        _ disk: SimulatedDisk,
        _ scheduler: HeldScheduler = HeldScheduler(),
        segmentBytes: UInt64 = 65_536
    ) async throws -> JournalStorage {
        var configuration = JournalConfiguration()
        configuration.fileSystem = disk
        configuration.scheduler = scheduler
        configuration.firstSegmentBytes = segmentBytes
        configuration.largestSegmentBytes = segmentBytes
        configuration.valueCacheBytes = 16 << 10
        configuration.reserveBytes = 0
        return try await JournalStorage.open(at: "store", configuration: configuration)
    }

    /// Else a flipped bit, long after, would pass for the unfinished write of a crash.
    @Test func whatARecoveryFoundIsProvenSoonAfterEvenIfNothingIsWritten() async throws {
        let disk = SimulatedDisk()
        try await open(disk).put("value", for: "key")
        let killed = disk.image().afterKill()
        let scheduler = HeldScheduler()
        let recovered = try await open(killed, scheduler)
        #expect(recovered.recoveryReport.rewritten == 1)
        await scheduler.run(for: .milliseconds(20))
        let later = killed.image().afterKill()
        let newest = "store/0000000000000002.segment"
        try later.flipBit(8 * 8_240, of: newest)
        let error = await #expect(throws: StorageError.self) { try await open(later) }
        #expect(error?.code == .corruption)
    }

    @Test func aFullDiskRefusesCommitsAndTakesThemAgainAsSoonAsThereIsSpace() async throws {
        let disk = SimulatedDisk(capacity: 40 * 4_096)
        let storage = try await open(disk, segmentBytes: 32_768)
        var count = 0
        var failure: StorageError?
        while failure == nil, count < 1_000 {
            do {
                try await storage.put(String(repeating: "v", count: 900), for: "key \(count)")
                count += 1
            } catch {
                failure = error as? StorageError
            }
        }
        #expect(failure?.code == .diskFull)
        #expect(try storage.snapshot().count == count)
        let stillFull = try await open(disk.image().afterKill(), segmentBytes: 32_768)
        #expect(try stillFull.snapshot().count == count)
        disk.capacity = 80 * 4_096
        try await storage.put("again", for: "key \(count)")
        for next in [disk.image().afterKill(), disk.image().afterPowerLoss(seed: 5)] {
            let reopened = try await open(next, segmentBytes: 32_768)
            #expect(try reopened.snapshot().count == count + 1)
            #expect(try reopened.value(for: "key \(count)") == "again")
        }
    }

    /// A sync of the journal has failed, the process was killed, and then the disk is full: reads
    /// work, and once there is space nothing is built on what only the cache holds.
    @Test func aFullDiskWhileRecoveringFromAFailedSyncLosesNothing() async throws {
        for number in 0..<12 {
            let disk = SimulatedDisk()
            let scheduler = HeldScheduler()
            let storage = try await open(disk, scheduler, segmentBytes: 8_704)
            disk.inject(DiskFault(.failedSync(.pagesKept), on: [.sync], after: number))
            var count = 0
            for _ in 0..<5 {
                let value = String(repeating: "v", count: 300)
                if (try? await storage.put(value, for: "key \(count)")) == nil { break }
                count += 1
                await scheduler.run(for: .milliseconds(20))
            }
            let full = disk.image().afterKill()
            full.inject(
                DiskFault(.error(.noSpace), on: [.write], pathSuffix: ".segment", times: nil)
            )
            full.inject(
                DiskFault(.error(.noSpace), on: [.allocate], pathSuffix: ".tmp", times: nil)
            )
            let recovered = try await open(full, segmentBytes: 8_704)
            #expect(try recovered.snapshot().count >= count)
            full.removeFaults()
            try await recovered.put("more", for: "one more")
            let shown = try recovered.snapshot().count
            var nothing = CrashEnumerator(limits: CrashLimits(independentSectors: 0))
            let dark = try await open(
                full.image().afterPowerLoss(using: &nothing),
                segmentBytes: 8_704
            )
            #expect(try dark.snapshot().count == shown)
            #expect(try dark.value(for: "one more") == "more")
        }
    }

    @Test func rotUnderAnOpenStoreCostsTheValuesItIsInAndNoOthers() async throws {
        let disk = SimulatedDisk()
        let storage = try await open(disk)
        for number in 0..<4 { try await storage.put("value \(number)", for: "key \(number)") }
        let used = try disk.contents(of: Self.path).lastIndex { $0 != 0 } ?? 0
        for bit in 8 * 8_192...8 * used + 7 {
            try disk.flipBit(bit, of: Self.path)
            var damaged = 0
            for number in 0..<4 {
                do {
                    #expect(try storage.value(for: "key \(number)") == "value \(number)")
                } catch {
                    #expect((error as? StorageError)?.code == .corruption)
                    damaged += 1
                }
            }
            #expect(damaged <= 1)
            try disk.flipBit(bit, of: Self.path)
        }
    }

    /// Writers that share one write: whatever part of it stands, each learns the truth.
    @Test(arguments: [0, 60, 100, 140, 200, 300])
    func aSharedWriteThatFailsHalfWayLeavesNothingOfARefusedCommit(written: Int) async throws {
        let disk = SimulatedDisk()
        let storage = try await open(disk)
        disk.inject(DiskFault(.short(written), on: [.write], after: 1))
        disk.inject(DiskFault(.error(.noSpace), on: [.write], after: 1))
        let outcomes = await withTaskGroup(of: (Int, Bool).self) { group in
            for number in 0..<32 {
                group.addTask {
                    let result: Void? = try? await storage.put("value", for: "key \(number)")
                    return (number, result != nil)
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(outcomes.values.contains(true))
        for next in [disk.image().afterKill(), disk.image().afterPowerLoss(seed: 9)] {
            let reopened = try await open(next)
            for (number, isThere) in outcomes {
                #expect(try (reopened.value(for: "key \(number)") != nil) == isThere)
            }
        }
        // Where few writes were needed, a fault is still waiting for one.
        disk.removeFaults()
        try await storage.put("value", for: "one more")
    }

    @Test func aRefusedAccessChangesNothingAndALaterOpenSucceeds() async throws {
        let disk = SimulatedDisk()
        try await open(disk).put("value", for: "key")
        for calls in [[DiskCall.Kind.open], [.read], [.write], [.setSize], [.rename], [.unlink]] {
            let killed = disk.image().afterKill()
            for errno in [SystemErrorNumber.permissionDenied, .notPermitted] {
                killed.inject(DiskFault(.error(errno), on: Set(calls), times: nil))
                let refusal = try? await open(killed)
                killed.removeFaults()
                // What is left over is removed last, and the file of the lock need not be shortened.
                #expect(refusal == nil || calls == [.unlink] || calls == [.setSize])
                #expect(try await open(killed.image().afterKill()).value(for: "key") == "value")
            }
        }
    }
}
