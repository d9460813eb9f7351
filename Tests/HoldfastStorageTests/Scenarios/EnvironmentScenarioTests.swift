import HoldfastStorage
import HoldfastTesting
import Testing

/// Scenarios C5, C6, C7, C12, C24 and C27: full disks, locked devices, other processes.
@Suite struct EnvironmentScenarioTests {
    @Test func aFullDiskIsATypedErrorAndCommitsWorkAgainOnceThereIsRoom() async throws {
        let store = TestStore()
        let storage = try await store.open()
        try await storage.put("1", for: "first")
        store.disk.inject(DiskFault(.error(.noSpace), on: [.write, .allocate], times: nil))
        #expect(await code { try await storage.put("2", for: "second") } == .diskFull)
        #expect(try storage.value(for: "first") == "1")
        #expect(try storage.value(for: "second") == nil)
        store.disk.removeFaults()
        try await storage.put("3", for: "third")
        #expect(try storage.contents() == ["first": "1", "third": "3"])
        try await storage.close()
    }

    @Test func aStoreOpensOnADiskThatIsStillFull() async throws {
        let store = TestStore()
        let storage = try await store.open()
        try await storage.put("1", for: "first")
        try await storage.put("2", for: "second", .buffered)
        let killed = TestStore(store.disk.image().afterKill())
        killed.disk.inject(
            DiskFault(.error(.noSpace), on: [.write, .allocate], pathSuffix: ".tmp", times: nil)
        )
        let full = try await killed.open()
        #expect(full.recoveryReport.isIncomplete)
        #expect(try full.contents() == ["first": "1", "second": "2"])
        #expect(await code { try await full.put("3", for: "third") } == .diskFull)
        killed.disk.removeFaults()
        try await full.put("3", for: "third")
        #expect(try full.contents() == ["first": "1", "second": "2", "third": "3"])
        let last = try await TestStore(killed.disk.image().afterKill()).open()
        #expect(try last.contents() == ["first": "1", "second": "2", "third": "3"])
    }

    @Test(arguments: [SystemErrorNumber.permissionDenied, .notPermitted])
    func aLockedDeviceChangesNothingAndALaterOpenSucceeds(_ errno: SystemErrorNumber) async throws {
        let store = try await TestStore.filled(5)
        let before = try store.files()
        for kind in [DiskCall.Kind.open, .read, .list, .lock] {
            store.disk.inject(DiskFault(.error(errno), on: [kind], times: nil))
            #expect(await code { _ = try await store.open() } == .protectedDataUnavailable)
            store.disk.removeFaults()
            #expect(try store.files() == before)
        }
        let storage = try await store.open()
        #expect(try storage.snapshot().count == 5)
        store.disk.inject(DiskFault(.error(errno), on: [.write], times: nil))
        #expect(await code { try await storage.put("6", for: "6") } == .protectedDataUnavailable)
        store.disk.removeFaults()
        try await storage.put("6", for: "6")
        #expect(try storage.snapshot().count == 6)
    }

    @Test func aSecondWriterIsToldWhoHasTheStoreAndReadersAreNot() async throws {
        let store = TestStore()
        let storage = try await store.open()
        try await storage.put("1", for: "first")
        await store.scheduler.run(for: .milliseconds(20))
        #expect(await code { _ = try await store.open() } == .locked)
        let follower = try await store.follow()
        #expect(try follower.value(for: "first") == "1")
        try await storage.close()
        let second = try await store.open()
        try await second.close()
    }

    @Test func anotherOpenNamesTheProcessThatHoldsTheStore() async throws {
        let store = TestStore()
        var configuration = store.configuration
        configuration.owner = "4711"
        let storage = try await JournalStorage.open(
            at: TestStore.path,
            configuration: configuration
        )
        let error = await #expect(throws: StorageError.self) { _ = try await store.open() }
        #expect(error?.message.contains("4711") == true)
        try await storage.close()
    }

    @Test func aFailedSyncIsFinalAndReopeningRecovers() async throws {
        for model in FailedSync.allCases where model != .reportedLate {
            let store = TestStore()
            let storage = try await store.open()
            try await storage.put("1", for: "first")
            store.disk.inject(DiskFault(.failedSync(model), on: [.sync]))
            #expect(await code { try await storage.put("2", for: "second") } == .outcomeUnknown)
            let written = store.disk.counters.writes
            #expect(await code { try await storage.put("3", for: "third") } == .outcomeUnknown)
            #expect(try storage.contents() == ["first": "1"])
            #expect(await code { try await storage.close() } == .outcomeUnknown)
            #expect(store.disk.counters.writes == written)
            let reopened = try await store.open()
            #expect(try reopened.value(for: "first") == "1")
            try await reopened.put("4", for: "fourth")
            let last = try await TestStore(store.disk.image().afterPowerLoss(seed: 1)).open()
            #expect(try last.value(for: "first") == "1")
            #expect(try last.value(for: "fourth") == "4")
            #expect(try last.value(for: "second") == reopened.value(for: "second"))
        }
    }

    @Test func putAndDeleteOfEverNewKeysLeavesNoEntries() async throws {
        let store = TestStore()
        let storage = try await store.open()
        try await storage.put("cold", for: "cold")
        for number in 1...200 {
            try await storage.put("\(number)", for: "key \(number)")
            try await storage.delete("key \(number)")
        }
        #expect(try storage.contents() == ["cold": "cold"])
        #expect(try storage.snapshot().count == 1)
    }

    @Test(arguments: ["not a store", "a file"])
    func whatIsNotAStoreIsRefusedAndLeftAlone(_ what: String) async throws {
        let store = TestStore()
        if what == "a file" {
            try store.disk.replace(TestStore.path, with: [1, 2, 3])
        } else {
            try store.disk.createDirectory(TestStore.path)
            try store.disk.replace(TestStore.path + "/photo.jpeg", with: [1, 2, 3])
        }
        let before = try store.files()
        #expect(await code { _ = try await store.open() } == .notAStore)
        #expect(await code { _ = try await store.follow() } == .notAStore)
        #expect(try store.files() == before)
    }

    @Test func aReaderOfNothingIsToldSo() async throws {
        let store = TestStore()
        #expect(await code { _ = try await store.follow() } == .notFound)
        #expect(store.disk.paths.isEmpty)
    }

    @Test func aDeviceThatStaysLockedForSeveralWritesPoisonsNothing() async throws {
        let store = TestStore()
        let storage = try await store.open()
        try await storage.put("1", for: "first")
        store.disk.inject(
            DiskFault(.error(.notPermitted), on: [.write, .setSize, .sync], times: nil)
        )
        for number in 1...3 {
            let failure = await code { try await storage.put("\(number)", for: "refused") }
            #expect(failure == .protectedDataUnavailable)
        }
        await store.scheduler.run(for: .seconds(2))
        store.disk.removeFaults()
        try await storage.put("2", for: "second")
        #expect(try storage.contents() == ["first": "1", "second": "2"])
    }

    @Test func aBufferedCommitIsSyncedWithinASecondOnAFullDiskToo() async throws {
        let store = TestStore()
        let storage = try await store.open()
        try await storage.put("1", for: "first", .buffered)
        store.disk.inject(DiskFault(.error(.noSpace), on: [.write, .allocate], times: nil))
        await store.scheduler.run(for: .seconds(1))
        let after = try await TestStore(store.disk.image().afterPowerLoss(seed: 3)).open()
        #expect(try after.contents() == ["first": "1"])
    }

    @Test func aDamagedPreparedFileIsMadeAnewAndReadsGoToTheNewOne() async throws {
        let store = TestStore()
        let storage = try await store.open()
        await store.scheduler.run()
        try await storage.put("1", for: "first")
        try await storage.close()
        try store.disk.flipBit(100 * 8, of: TestStore.segment(2))
        let second = try await store.open()
        for number in 1...40 { try await second.put(TestStore.filler(number), for: "\(number)") }
        for number in 1...40 {
            #expect(try second.value(for: "\(number)") == TestStore.filler(number))
        }
        #expect(try second.changes(after: .zero, limit: 100).count == 41)
    }

    @Test func aSyncOfADirectoryThatFailedIsNotTriedAgain() async throws {
        let store = TestStore()
        let storage = try await store.open()
        store.disk.inject(DiskFault(.error(.inputOutput), on: [.syncDirectory]))
        await store.scheduler.run()
        store.disk.removeFaults()
        let failure = await code {
            for number in 1...40 {
                try await storage.put(TestStore.filler(number), for: "\(number)")
            }
        }
        #expect(failure == .outcomeUnknown)
        let count = try storage.snapshot().count
        let reopened = try await TestStore(store.disk.image().afterPowerLoss(seed: 5)).open()
        #expect(try reopened.snapshot().count >= count)
    }
}
