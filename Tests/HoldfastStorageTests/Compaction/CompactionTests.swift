import HoldfastStorage
import HoldfastTesting
import Testing

/// What compaction keeps, and what it gives back.
@Suite struct CompactionTests {
    /// The store as another process that opens it after a kill finds it.
    private func reopened(_ store: TestStore) async throws -> JournalStorage {
        try await TestStore(store.disk.image().afterKill()).open()
    }

    private func isIntact(_ store: TestStore) throws -> Bool {
        try TestStore(store.disk.image().afterKill()).verify().isIntact
    }

    private func segmentFiles(_ store: TestStore) -> Int {
        store.disk.paths.filter { $0.hasSuffix(".segment") }.count
    }

    @Test func supersededValuesGiveTheirSpaceBack() async throws {
        let store = TestStore()
        let storage = try await store.open()
        for number in 1...200 { try await storage.put(TestStore.filler(number), for: "key") }
        try await storage.put("other", for: "other")
        #expect(segmentFiles(store) > 10)
        try await storage.compact()
        #expect(segmentFiles(store) <= 3)
        let expected = ["key": TestStore.filler(200), "other": "other"]
        #expect(try storage.contents() == expected)
        #expect(try storage.checkUsage() == [])
        #expect(try await reopened(store).contents() == expected)
        #expect(try isIntact(store))
        try await storage.close()
        let again = try await store.open()
        #expect(try again.contents() == expected)
        #expect(try again.snapshot().sequenceNumber == SequenceNumber(201))
        try await again.put("more", for: "more")
        #expect(try again.snapshot().sequenceNumber == SequenceNumber(202))
    }

    @Test func deletedKeysStayDeletedHoweverOftenTheStoreIsCompacted() async throws {
        let store = TestStore()
        let storage = try await store.open()
        for number in 1...60 { try await storage.put(TestStore.filler(number), for: "\(number)") }
        for number in 1...60 where number % 3 != 0 { try await storage.delete("\(number)") }
        for round in 1...4 {
            try await storage.compact()
            #expect(try storage.contents().count == 20)
            #expect(try storage.checkUsage() == [])
            let again = try await reopened(store)
            #expect(try again.contents() == storage.contents(), "round \(round)")
            #expect(try again.checkUsage() == [])
            for number in 1...30 {
                try await storage.put(TestStore.filler(number), for: "short")
                try await storage.delete("short")
            }
        }
        #expect(try isIntact(store))
    }

    @Test func afterEverythingIsDeletedHardlyAnythingIsLeft() async throws {
        let store = TestStore()
        let storage = try await store.open()
        for number in 1...100 { try await storage.put(TestStore.filler(number), for: "\(number)") }
        for number in 1...100 { try await storage.delete("\(number)") }
        try await storage.compact()
        try await storage.compact()
        #expect(segmentFiles(store) <= 3)
        #expect(try await reopened(store).contents() == [:])
    }

    @Test func aSnapshotKeepsWhatItNeedsAndNoMore() async throws {
        let store = TestStore()
        let storage = try await store.open()
        for number in 1...100 { try await storage.put(TestStore.filler(number), for: "\(number)") }
        var snapshot: (any StorageSnapshot)? = try storage.snapshot()
        for number in 1...100 { try await storage.delete("\(number)") }
        for number in 1...200 { try await storage.put(TestStore.filler(number), for: "key") }
        try await storage.compact()
        let held = storage.segmentNumbers
        #expect(held.leftover.count >= 4, "those that the snapshot reads")
        #expect(segmentFiles(store) <= held.leftover.count + 3, "and no later one")
        var count = 0
        try snapshot?.scan(.all, .forward) { _, _ in
            count += 1
            return true
        }
        #expect(count == 100)
        snapshot = nil
        await store.scheduler.run()
        #expect(storage.segmentNumbers.leftover == [])
        #expect(segmentFiles(store) <= 3)
        #expect(try storage.contents() == ["key": TestStore.filler(200)])
    }

    @Test func theChangeFeedGoesOnBehindWhatWasGivenUp() async throws {
        let store = TestStore()
        let storage = try await store.open()
        for number in 1...100 { try await storage.put(TestStore.filler(number), for: "key") }
        try await storage.compact()
        #expect(
            await code { _ = try storage.changes(after: .zero, limit: 1) } == .changesCompacted
        )
        let last = try storage.snapshot().sequenceNumber
        try await storage.put("more", for: "more")
        await store.scheduler.run(for: .milliseconds(20))
        for feed in [storage as any Storage, try await store.follow()] {
            let commits = try feed.changes(after: last, limit: 10)
            #expect(commits.map(\.sequenceNumber) == [last.next])
            #expect(
                await code { _ = try feed.changes(after: .zero, limit: 1) } == .changesCompacted
            )
        }
    }

    @Test func aFollowerStaysWithAStoreThatIsCompacted() async throws {
        let store = TestStore()
        let storage = try await store.open()
        for number in 1...20 { try await storage.put(TestStore.filler(number), for: "\(number)") }
        let follower = try await store.follow()
        for round in 1...5 {
            for number in 1...40 {
                try await storage.put(TestStore.filler(number), for: "\(number % 7)")
            }
            try await storage.delete("\(round)")
            if round % 2 == 0 { try follower.refresh() }
            try await storage.compact()
            await store.scheduler.run(for: .seconds(1))
            try follower.refresh()
            #expect(try follower.contents() == storage.contents(), "round \(round)")
        }
        #expect(try await store.follow().contents() == storage.contents())
    }

    @Test func anIndexFollowsWhatIsMovedAndWhatIsGone() async throws {
        let index = IndexDefinition(name: "value", version: 1) { _, value, emit in
            emit(value.extracting(first: min(8, value.byteCount)))
        }
        let store = TestStore()
        let storage = try await store.open()
        try await storage.setIndexes([index])
        for number in 1...120 {
            try await storage.put(TestStore.filler(number), for: "\(number % 50)")
        }
        for number in 0..<25 { try await storage.delete("\(number)") }
        try await storage.compact()
        let again = try await TestStore(store.disk.image().afterKill()).open()
        try await again.setIndexes([index])
        for storage in [storage, again] {
            var keys: [[UInt8]] = []
            try storage.snapshot().scanIndexValues("value", .all, .forward, expecting: nil) {
                _,
                key,
                _ in
                keys.append(unsafe key.withUnsafeBytes { unsafe [UInt8]($0) })
                return true
            }
            #expect(keys.count == 25)
        }
    }

    /// Damage in a segment costs its records, and compaction leaves it where it is.
    @Test func aDamagedSegmentIsNotGivenUp() async throws {
        let store = try await TestStore.filled(60)
        let storage = try await store.open()
        let path = TestStore.segment(2)
        try store.disk.flipBit(8 * 9_000, of: path)
        for number in 1...60 where number % 2 == 0 { try await storage.delete("key \(number)") }
        try await storage.compact()
        #expect(storage.segmentNumbers.present.contains(2))
        #expect(storage.segmentNumbers.present.count < 6)
        for number in 1...60 where number % 2 == 1 {
            do {
                let value = try storage.value(for: "key \(number)")
                #expect(value == TestStore.filler(number))
            } catch {
                #expect((error as? StorageError)?.code == .corruption)
            }
        }
    }

    @Test func withoutTheListOfWhatIsGoneAHoleIsDamage() async throws {
        let store = TestStore()
        let storage = try await store.open()
        for number in 1...100 { try await storage.put(TestStore.filler(number), for: "key") }
        try await storage.compact()
        try await storage.close()
        let list = TestStore.path + "/retired"
        let size = try store.disk.contents(of: list).count
        for half in [0, size / 2] {
            let damaged = TestStore(store.disk.image().afterKill())
            try damaged.disk.flipBit(8 * (half + 60), of: list)
            #expect(try await damaged.open().contents().count == 1)
            #expect(try damaged.verify().findings.count == 1)
        }
        let bare = TestStore(store.disk.image().afterKill())
        try bare.disk.remove(list)
        #expect(await code { _ = try await bare.open() } == .corruption)
        #expect(await code { _ = try await bare.follow() } == .corruption)
        #expect(try !bare.verify().isIntact)
    }

    /// Many updates of few keys, with a reader held open that keeps the first of them.
    @Test(arguments: [1, 40])
    func updatesOfFewKeysStayWithinTheBoundBesideAReader(keys: Int) async throws {
        let store = TestStore()
        let storage = try await store.open()
        for key in 0..<keys { try await storage.put(TestStore.filler(0), for: "\(key)") }
        let reader = try storage.snapshot()
        var most = 0
        for number in 1...1_500 {
            try await storage.put(TestStore.filler(number), for: "\(number % keys)", .buffered)
            if number % 25 == 0 { await store.scheduler.run(for: .seconds(1)) }
            most = max(most, segmentFiles(store))
        }
        // Twice what is live and what the reader needs, and what small stores are left alone with.
        let live = keys * 230 / 3_900 + 1
        #expect(most <= 2 * 2 * live + 8, "of \(1_500 * 260 / 4_096)")
        #expect(reader.count == keys)
        for key in 0..<keys {
            let value = try reader.value(for: Array("\(key)".utf8))
            #expect(value == Array(TestStore.filler(0).utf8))
        }
        #expect(try await reopened(store).contents() == storage.contents())
    }

    /// With room for little more than one segment it completes, or fails and takes nothing away.
    @Test(arguments: [1, 2, 4, 6, 12])
    func compactionOnAnAlmostFullDiskCompletesOrRollsBack(freeBlocks: Int) async throws {
        let disk = SimulatedDisk()
        let store = TestStore(disk)
        let storage = try await store.open()
        for number in 1...120 {
            try await storage.put(TestStore.filler(number), for: "\(number % 30)")
            try await storage.put("cold \(number)", for: "cold \(number)")
        }
        let expected = try storage.contents()
        let blocks = disk.paths.reduce(0) { sum, path in
            sum + ((try? disk.contents(of: path).count) ?? 0) / 4_096 + 1
        }
        disk.capacity = (blocks + freeBlocks) * 4_096
        let files = segmentFiles(store)
        do {
            try await storage.compact()
            #expect(segmentFiles(store) < files)
        } catch {
            #expect(error.code == .diskFull)
        }
        #expect(try storage.contents() == expected)
        #expect(try storage.checkUsage() == [])
        #expect(try await reopened(store).contents() == expected)
        disk.capacity = nil
        try await storage.compact()
        #expect(segmentFiles(store) < files)
        #expect(try storage.contents() == expected)
        #expect(try await reopened(store).contents() == expected)
    }

    @Test func staleTemporaryFilesAreInNobodysWay() async throws {
        let disk = SimulatedDisk()
        let store = TestStore(disk)
        let storage = try await store.open()
        for number in 1...100 { try await storage.put(TestStore.filler(number), for: "key") }
        for name in ["retired", "0000000000000040.segment"] {
            let file = try disk.open("\(TestStore.path)/\(name).tmp", .createNew)
            try file.write(unsafe Array("half".utf8).span.bytes, at: 0)
            file.close()
        }
        try await storage.compact()
        #expect(segmentFiles(store) <= 3)
        let next = TestStore(disk.image().afterKill())
        #expect(try await next.open().contents() == ["key": TestStore.filler(100)])
        #expect(!next.disk.paths.contains { $0.hasSuffix(".tmp") })
    }

    /// Put and delete of ever new keys, as an outbox does, beside records that never change.
    @Test func shortLivedKeysBesideColdOnesLeaveNothingBehind() async throws {
        let store = TestStore()
        let storage = try await store.open()
        for number in 1...40 {
            try await storage.put(TestStore.filler(number), for: "cold \(number)")
        }
        for number in 1...2_000 {
            try await storage.put("value \(number)", for: "key \(number)", .buffered)
            try await storage.write(.buffered) { try $0.delete(Array("key \(number)".utf8)) }
            if number % 50 == 0 { await store.scheduler.run(for: .seconds(1)) }
            #expect(segmentFiles(store) <= 18)
        }
        #expect(try storage.contents().count == 40)
        #expect(try storage.checkUsage() == [])
        #expect(try await reopened(store).contents() == storage.contents())
    }

    @Test func aThousandCrashesDoNotLeaveAThousandSegments() async throws {
        var store = TestStore()
        for number in 1...60 {
            let storage = try await store.open()
            try await storage.put("value \(number)", for: "key \(number)")
            store = TestStore(store.disk.image().afterKill())
        }
        #expect(segmentFiles(store) > 50)
        let storage = try await store.open()
        await store.scheduler.run(for: .seconds(2))
        #expect(segmentFiles(store) < 20)
        #expect(try storage.contents().count == 60)
    }

    /// Work that a crash or a full disk has left half done.
    @Test func whatIsLeftOverGoesAtTheNextOpen() async throws {
        let store = TestStore()
        let storage = try await store.open()
        for number in 1...100 { try await storage.put(TestStore.filler(number), for: "key") }
        store.disk.inject(DiskFault(.error(.inputOutput), on: [.unlink], times: nil))
        #expect(await code { try await storage.compact() } == .inputOutput)
        #expect(segmentFiles(store) > 5)
        let next = TestStore(store.disk.image().afterKill())
        let again = try await next.open()
        #expect(!again.segmentNumbers.leftover.isEmpty)
        await next.scheduler.run()
        #expect(again.segmentNumbers.leftover.isEmpty)
        #expect(segmentFiles(next) <= 3)
        #expect(try again.contents() == ["key": TestStore.filler(100)])
    }
}
