import HoldfastStorage
import HoldfastTesting
import Synchronization
import Testing

@Suite struct BackupTests {
    static let copy = "copy"

    private static func contents(
        of path: String,
        _ store: TestStore
    ) async throws -> [String: String] {
        try await JournalFollower.open(at: path, configuration: store.configuration).contents()
    }

    private static func open(_ store: TestStore) async throws -> JournalStorage {
        try await JournalStorage.open(at: copy, configuration: store.configuration)
    }

    @Test(arguments: [true, false])
    func aBackupHoldsWhatReadersSawAndNoLaterCommit(links: Bool) async throws {
        let store = try await TestStore.filled()
        let storage = try await store.open()
        try await storage.put("buffered", for: "new", .buffered)
        let expected = try storage.contents()
        let report = try await storage.backup(to: Self.copy, linking: links) { _ in }
        try await storage.put("later", for: "new")
        #expect(report.last.rawValue == 46)
        #expect(report.segments >= 4)
        #expect(report.linkedSegments == (links ? report.segments - 1 : 0))
        #expect(try await Self.contents(of: Self.copy, store) == expected)
        let opened = try await Self.open(store)
        #expect(opened.recoveryReport.wasClosed)
        #expect(try opened.contents() == expected)
        #expect(try storage.value(for: "new") == "later")
    }

    @Test func writingToABackupLeavesTheStoreAsItWasToTheByte() async throws {
        let store = try await TestStore.filled()
        try await store.follow().backup(to: Self.copy)
        let files = try store.files().filter { $0.key.hasPrefix(TestStore.path + "/") }
        let copy = try await Self.open(store)
        for number in 1...80 { try await copy.put("other \(number)", for: "key \(number)") }
        try await copy.close()
        #expect(try store.files().filter { $0.key.hasPrefix(TestStore.path + "/") } == files)
        #expect(try store.verify().isIntact)
    }

    @Test(arguments: [SystemErrorNumber.crossesDevices, .notPermitted, .notSupported])
    func whereThereAreNoHardLinksSegmentsAreCopied(_ errno: SystemErrorNumber) async throws {
        let store = try await TestStore.filled()
        store.disk.inject(DiskFault(.error(errno), on: [.link], times: nil))
        let report = try await store.follow().backup(to: Self.copy)
        #expect(report.linkedSegments == 0 && report.copiedBytes > 30_000)
        #expect(try await Self.contents(of: Self.copy, store).count == 45)
        #expect(store.disk.counters.faults == 1)
    }

    @Test(arguments: [true, false])
    func aCrashAtAnyCallLeavesTheWholeBackupOrNone(links: Bool) async throws {
        let store = try await TestStore.filled()
        let storage = try await store.open()
        let expected = try storage.contents()
        store.disk.startRecording(images: true)
        try await storage.backup(to: Self.copy, linking: links) { _ in }
        let images = store.disk.recording.images
        #expect(images.count > 15)
        var whole = 0
        for (index, image) in (images + [store.disk.image()]).enumerated() {
            let outcomes =
                [image.afterKill()] + (0..<4).map { image.afterPowerLoss(seed: UInt64($0)) }
            for disk in outcomes {
                let crashed = TestStore(disk)
                #expect(try await crashed.open().contents() == expected, "call \(index)")
                let isThere = try disk.kind(of: Self.copy) != nil
                whole += isThere ? 1 : 0
                if isThere {
                    #expect(try await Self.open(crashed).contents() == expected, "call \(index)")
                }
                #expect(isThere || index < images.count, "what was finished is there")
            }
        }
        #expect(whole >= 5)
    }

    @Test func aFailedCallLeavesNothingAndTheNextBackupWorks() async throws {
        let store = try await TestStore.filled()
        let storage = try await store.open()
        await store.scheduler.run(for: .seconds(2))
        let before = Set(store.disk.paths)
        store.disk.startRecording()
        try await storage.backup(to: Self.copy)
        let count = store.disk.recording.calls.count
        for call in 0..<count {
            let trial = TestStore(store.disk.image().afterKill())
            for path in trial.disk.paths where path.hasPrefix(Self.copy) {
                try trial.disk.remove(path)
            }
            try trial.disk.removeDirectory(Self.copy)
            let opened = try await trial.open()
            await trial.scheduler.run(for: .seconds(2))
            trial.disk.inject(DiskFault(.error(.inputOutput), after: call))
            let failure = await code { try await opened.backup(to: Self.copy) }
            trial.disk.removeFaults()
            if failure == nil || failure == .outcomeUnknown { continue }
            #expect(Set(trial.disk.paths) == before, "call \(call)")
            #expect(try await opened.backup(to: Self.copy).last.rawValue == 45, "call \(call)")
        }
    }

    @Test func aLeftoverOfAnInterruptedBackupIsReplaced() async throws {
        let store = try await TestStore.filled()
        let storage = try await store.open()
        store.disk.startRecording(images: true)
        try await storage.backup(to: Self.copy)
        // Before the last two calls it has its name.
        for image in store.disk.recording.images.dropLast(2) {
            let killed = TestStore(image.afterKill())
            try await killed.follow().backup(to: Self.copy)
            #expect(try await Self.contents(of: Self.copy, killed).count == 45)
            #expect(try killed.disk.kind(of: Self.copy + ".incomplete") == nil)
        }
    }

    @Test func whatStandsAtTheTargetIsNotTouched() async throws {
        let store = try await TestStore.filled()
        let storage = try await store.open()
        try await storage.backup(to: Self.copy)
        let files = try store.files()
        for path in [Self.copy, Self.copy + "/", TestStore.path, TestStore.path + "/identity"] {
            #expect(await code { try await storage.backup(to: path) } == .alreadyExists)
        }
        #expect(await code { try await storage.backup(to: "no/copy") } == .notFound)
        try store.disk.createDirectory("other.incomplete")
        try store.disk.replace("other.incomplete/mine", with: [1])
        #expect(await code { try await storage.backup(to: "other") } == .alreadyExists)
        try store.disk.remove("other.incomplete/mine")
        try store.disk.duplicate(Self.copy + "/identity", as: "other.incomplete/identity")
        #expect(await code { try await storage.backup(to: "other") } == .alreadyExists)
        try store.disk.remove("other.incomplete/identity")
        #expect(try store.files() == files)
    }

    @Test func aStoreIsNotRestoredOverOneThatIsOpen() async throws {
        let store = try await TestStore.filled()
        let storage = try await store.open()
        try await storage.backup(to: Self.copy)
        try await storage.put("later", for: "new")
        let backup = try await JournalFollower.open(
            at: Self.copy,
            configuration: store.configuration
        )
        let failure = await code { try await backup.backup(to: TestStore.path) }
        #expect(failure == .alreadyExists)
        #expect(try storage.value(for: "new") == "later")
    }

    @Test func aBackupIsANewReplicaFromItsFirstWritingOpenOn() async throws {
        let store = try await TestStore.filled()
        let storage = try await store.open()
        try await storage.backup(to: Self.copy)
        #expect(storage.replica == storage.store)
        let reader = try await JournalFollower.open(
            at: Self.copy,
            configuration: store.configuration
        )
        #expect(reader.store == storage.store && reader.replica == storage.replica)
        try await reader.backup(to: "second")
        var replicas = [storage.replica]
        for path in [Self.copy, "second"] {
            let copy = try await JournalStorage.open(at: path, configuration: store.configuration)
            #expect(copy.store == storage.store)
            replicas.append(copy.replica)
            try await copy.close()
            let again = try await JournalStorage.open(at: path, configuration: store.configuration)
            #expect(again.replica == copy.replica)
            try await again.close()
        }
        #expect(Set(replicas).count == 3)
    }

    @Test func aBackupThatCrashedWhileItBecameAReplicaIsACopyStillOrAReplica() async throws {
        let store = try await TestStore.filled()
        let origin = try await store.open()
        try await origin.backup(to: Self.copy)
        store.disk.startRecording(images: true)
        let copy = try await Self.open(store)
        for (index, image) in store.disk.recording.images.enumerated() {
            for disk in [image.afterKill(), image.afterPowerLoss(seed: UInt64(index))] {
                let again = try await Self.open(TestStore(disk))
                #expect(again.replica != origin.replica)
                #expect(try again.contents() == copy.contents())
            }
        }
    }

    @Test func backupsWhileCommitsRunAreEachAPrefix() async throws {
        let store = TestStore()
        let storage = try await store.open()
        let writer = Task {
            for number in 1...300 {
                let durability: Durability = number % 4 == 0 ? .synced : .buffered
                try await storage.put(TestStore.filler(number), for: "key \(number)", durability)
            }
        }
        var lasts: [UInt64] = []
        for index in 0..<8 {
            let report = try await storage.backup(to: "copy \(index)")
            lasts.append(report.last.rawValue)
        }
        try await writer.value
        for (index, last) in lasts.enumerated() {
            let contents = try await Self.contents(of: "copy \(index)", store)
            let keys = last == 0 ? [] : (1...last).map { "key \($0)" }
            #expect(Set(contents.keys) == Set(keys))
        }
    }

    @Test func anotherProcessBacksUpWhatIsKnownToBeDurable() async throws {
        let store = try await TestStore.filled()
        let storage = try await store.open()
        try await storage.put("first", for: "new", .synced)
        try await storage.put("second", for: "new", .buffered)
        let report = try await store.follow().backup(to: Self.copy)
        #expect(report.last.rawValue == 46)
        #expect(try await Self.contents(of: Self.copy, store)["new"] == "first")
    }

    @Test func aBackupThatIsStoppedLeavesNothing() async throws {
        struct Stop: Error {}
        let store = try await TestStore.filled()
        let storage = try await store.open()
        let before = store.disk.paths
        let seen = Mutex<[MaintenanceProgress]>([])
        await #expect(throws: Stop.self) {
            try await storage.backup(to: Self.copy, linking: false) { progress in
                seen.withLock { $0.append(progress) }
                if progress.completed > 20_000 { throw Stop() }
            }
        }
        #expect(store.disk.paths == before)
        #expect(seen.withLock { $0.count } == 2)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            _ = try await storage.backup(to: Self.copy)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(store.disk.paths == before)
        try await storage.backup(to: Self.copy, linking: false) { progress in
            seen.withLock { $0.append(progress) }
        }
        let last = try #require(seen.withLock { $0.last })
        #expect(last.completed == last.total)
    }

    @Test func damageIsNotCopiedInSilence() async throws {
        let store = try await TestStore.filled()
        let storage = try await store.open()
        try store.disk.flipBit(8 * 8_600, of: TestStore.segment(2))
        let failure = await code {
            try await storage.backup(to: Self.copy, linking: false) { _ in }
        }
        #expect(failure == .corruption)
        #expect(try store.disk.kind(of: Self.copy) == nil)
    }

    @Test func aStoreWhoseNextSegmentFailedToBeginIsBackedUpWhole() async throws {
        let store = try await TestStore.filled(10)
        let storage = try await store.open()
        store.disk.inject(
            DiskFault(
                .error(.noSpace),
                on: [.write],
                pathSuffix: "2.segment",
                range: 0..<8_192,
                times: nil
            )
        )
        var number = 10
        while await code(of: { try await storage.put(TestStore.filler(0), for: "x\(number)") })
            == nil
        {
            number += 1
        }
        let expected = try storage.contents()
        try await storage.backup(to: Self.copy)
        store.disk.removeFaults()
        let copy = try await Self.open(store)
        #expect(try copy.contents() == expected)
        try await copy.put("goes on", for: "new")
        try await copy.close()
        #expect(
            try JournalVerifier.verify(at: Self.copy, configuration: store.configuration)
                .isIntact
        )
    }
}
