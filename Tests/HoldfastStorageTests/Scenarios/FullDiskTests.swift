import HoldfastStorage
import HoldfastTesting
import Testing

/// Scenarios C5, C6, C7 and C15 on a disk that really is full: deletes and compaction go on from
/// the reserve, and commits once there is room.
@Suite struct FullDiskTests {
    /// A store on a small disk, and what it has to hold.
    private struct Story {
        let store: TestStore
        var storage: JournalStorage
        var model: [String: String] = [:]
        var random: SplitMix64
        private var number = 0

        init(seed: UInt64, capacity: Int = 320 << 10) async throws {
            store = TestStore(SimulatedDisk(capacity: capacity))
            random = SplitMix64(seed: seed)
            storage = try await Self.open(store)
        }

        static func open(_ store: TestStore) async throws -> JournalStorage {
            var configuration = store.configuration
            configuration.reserveBytes = 32 << 10
            return try await JournalStorage.open(
                at: TestStore.path,
                configuration: configuration
            )
        }

        /// Puts until a commit is refused.
        mutating func fill() async throws {
            await store.scheduler.run()
            while await put() == nil {
                if random.next() % 8 == 0 { await store.scheduler.run(for: .milliseconds(40)) }
            }
            try check()
        }

        /// - Returns: The error's code; `nil` when it was committed.
        mutating func put() async -> StorageError.Code? {
            number += 1
            let isOld = random.next() % 4 == 0
            let key = "key \(isOld ? Int(random.next() % UInt64(number)) : number)"
            let value = String(repeating: "v", count: Int(random.next() % 1_500)) + "\(number)"
            let storage = storage
            let refusal = await code { try await storage.put(value, for: key) }
            if refusal == nil { model[key] = value }
            return refusal
        }

        /// Deletes two thirds; nothing of it may be refused.
        mutating func empty() async throws {
            for key in model.keys.sorted() where random.next() % 3 < 2 {
                try await storage.delete(key)
                model[key] = nil
                if random.next() % 8 == 0 { await store.scheduler.run(for: .milliseconds(40)) }
            }
            try check()
        }

        /// Commits again, as soon as background work has had its time.
        mutating func goOn() async throws {
            for _ in 0..<10 {
                var refusals = 0
                while let refusal = await put() {
                    #expect(refusal == .diskFull)
                    refusals += 1
                    try #require(refusals < 5, "commits are still refused")
                    await store.scheduler.run(for: .seconds(2))
                }
            }
            try check()
        }

        func check() throws { #expect(try storage.contents() == model) }

        mutating func reopen() async throws {
            try await storage.close()
            storage = try await Self.open(store)
            try check()
        }

        func checkAfterPowerLoss(seed: UInt64) async throws {
            let dark = TestStore(store.disk.image().afterPowerLoss(seed: seed))
            #expect(try await Self.open(dark).contents() == model)
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func deletesWorkOnAFullDiskAndCommitsGoOnWithoutReopening(_ seed: UInt64) async throws {
        var story = try await Story(seed: seed)
        for round in 0..<4 as Range<UInt64> {
            try await story.fill()
            try await story.checkAfterPowerLoss(seed: seed &+ round)
            try await story.empty()
            try await story.checkAfterPowerLoss(seed: seed &+ round)
            try await story.goOn()
        }
        try await story.reopen()
    }

    @Test(arguments: [11, 12, 13] as [UInt64])
    func aStoreThatIsOpenedOnAFullDiskDeletesAndGoesOn(_ seed: UInt64) async throws {
        var story = try await Story(seed: seed)
        for _ in 0..<3 {
            try await story.fill()
            try await story.reopen()
            try await story.empty()
            try await story.goOn()
        }
    }

    @Test func commitsWaitUntilTheReserveIsWholeAgain() async throws {
        var story = try await Story(seed: 21)
        try await story.fill()
        let reserve = TestStore.path + "/reserve"
        #expect(story.store.disk.paths.contains(reserve))
        for key in story.model.keys.sorted().prefix(3) {
            try await story.storage.delete(key)
            story.model[key] = nil
        }
        story.store.disk.capacity = story.store.disk.usedBytes + 4_096
        #expect(await story.put() == .diskFull)
        try story.check()
        story.store.disk.capacity = nil
        #expect(await story.put() == nil)
        #expect(story.store.disk.paths.contains(reserve))
        try story.check()
    }

    @Test func theReserveIsOfNoInterestToWhoReadsOrChecksTheStore() async throws {
        var story = try await Story(seed: 31, capacity: 1 << 20)
        for _ in 0..<20 { _ = await story.put() }
        await story.store.scheduler.run(for: .seconds(1))
        #expect(try story.store.disk.contents(of: TestStore.path + "/reserve").count == 32 << 10)
        #expect(try await story.store.follow().contents() == story.model)
        #expect(try story.store.verify().isIntact)
        try story.store.disk.unlink(TestStore.path + "/reserve")
        try await story.reopen()
    }
}
