import HoldfastStorage
import HoldfastTesting
import Testing

/// Pages that are found damaged while the store is open.
@Suite struct DamagedPageTests {
    private static let index = IndexDefinition(name: "first", version: 1) { _, value, emit in
        emit(value.extracting(first: min(8, value.byteCount)))
    }

    /// A store of 400 records with a checkpoint, and a bit of one of its pages flipped.
    private func damaged(page: Int) async throws -> (TestStore, [String: String]) {
        let store = TestStore()
        let storage = try await store.open()
        try await storage.setIndexes([Self.index])
        for batch in 0..<20 {
            _ = try await storage.write(.synced) { transaction in
                for number in batch * 20..<batch * 20 + 20 {
                    try transaction.put(Array("v\(number)".utf8), for: Array("k\(number)".utf8))
                }
            }
        }
        try await storage.checkpoint()
        let contents = try storage.contents()
        try await storage.close()
        try store.disk.flipBit((4_096 + page * 64 + 40) * 8, of: CheckpointStoreTests.checkpoint)
        return (store, contents)
    }

    @Test(arguments: [0, 30, 60, 90, 120, 150, 180, 210])
    func aDamagedPageFailsWhatNeedsItUntilTheStateIsMadeAnew(_ page: Int) async throws {
        let (store, contents) = try await damaged(page: page)
        let storage = try await store.open()
        #expect(storage.recoveryReport.checkpoint == SequenceNumber(20))
        try await storage.setIndexes([Self.index])
        let old = try storage.snapshot()
        var failures = 0
        for key in contents.keys.sorted() {
            do throws(StorageError) {
                let value = try old.value(for: Array(key.utf8))
                #expect(value.map { String(decoding: $0, as: UTF8.self) } == contents[key])
            } catch {
                #expect(error.code == .checkpointDamaged)
                failures += 1
            }
        }
        let wasIndexRead = (try? old.countIndex("first", in: .all)) != nil
        let indexed = try? old.records("first")
        if let indexed { #expect(indexed.count == 400 && wasIndexRead) }
        #expect(failures > 0 || indexed == nil)
        // A commit on the damaged state is there after the repair, or was refused.
        var expected = contents
        if await code(of: { try await storage.put("new", for: "k77") }) == nil {
            expected["k77"] = "new"
        }
        await store.scheduler.run(for: .seconds(1))
        #expect(try storage.contents() == expected)
        #expect(try storage.snapshot().records("first").count == 400)
        try await storage.put("newer", for: "k78")
        expected["k78"] = "newer"
        #expect(try storage.contents() == expected)
        try await storage.close()
        let again = try await store.open()
        #expect(again.recoveryReport.checkpoint != nil)
        #expect(try again.contents() == expected)
        #expect(try store.verify().isIntact)
    }

    @Test func aReadThatFailsOnceIsNoLossEither() async throws {
        let (store, contents) = try await damaged(page: 0)
        try store.disk.flipBit((4_096 + 40) * 8, of: CheckpointStoreTests.checkpoint)
        let storage = try await store.open()
        store.disk.inject(DiskFault(.error(.inputOutput), on: [.read], pathSuffix: "checkpoint"))
        #expect(await code { _ = try storage.contents() } == .checkpointDamaged)
        await store.scheduler.run(for: .seconds(1))
        #expect(try storage.contents() == contents)
    }

    @Test func aFollowerMakesItsStateAnewToo() async throws {
        let (store, contents) = try await damaged(page: 60)
        let follower = try await store.follow()
        try await follower.setIndexes([Self.index])
        #expect(await code { _ = try follower.contents() } == .checkpointDamaged)
        try follower.refresh()
        #expect(try follower.contents() == contents)
        #expect(try follower.snapshot().records("first").count == 400)
    }

    @Test func aFollowerReadsTheCheckpointAndTheTailAlone() async throws {
        let (store, contents) = try await damaged(page: 0)
        try store.disk.flipBit((4_096 + 40) * 8, of: CheckpointStoreTests.checkpoint)
        let before = store.disk.counters.bytesRead
        let follower = try await store.follow()
        #expect(store.disk.counters.bytesRead - before < 60 << 10)
        try await follower.setIndexes([Self.index])
        #expect(try follower.contents() == contents)
        let storage = try await store.open()
        try await storage.put("new", for: "k1")
        try await storage.delete("k2")
        await store.scheduler.run(for: .milliseconds(20))
        try follower.refresh()
        #expect(try follower.contents() == storage.contents())
        #expect(try follower.snapshot().records("first").count == 399)
        #expect(try follower.changes(after: SequenceNumber(20), limit: 9).count == 2)
    }
}

extension StorageSnapshot {
    /// The records of an index, in order.
    fileprivate func records(_ index: String) throws -> [[UInt8]] {
        var records: [[UInt8]] = []
        try scanIndex(index, .all, .forward) { _, key in
            records.append(key.bytes)
            return true
        }
        return records
    }
}
