import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastTesting
import Testing

/// Scenarios of sync.md: readers, watchers and other processes beside sync.
@Suite(.timeLimit(.minutes(20))) struct StoreScenarioTests {
    private func fill(_ world: ScenarioWorld, _ count: Int) async throws {
        try await world.server.write { transaction in
            for number in 0..<count {
                try transaction.put(["x": 0], of: RecordID(Int64(number)), in: "notes")
            }
        }
    }

    @Test("S22: a page of 5,000 records is one change of a watcher's result")
    func aPageIsOneEmission() async throws {
        let world = try await ScenarioWorld(codesMessages: false)
        try await fill(world, 5_000)
        let replica = try await world.replica()
        replica.isChecked = false
        var counts = replica.store.values(Query("notes").limit(6_000)).makeAsyncIterator()
        #expect(try await counts.next()?.isEmpty == true)
        try await replica.sync()
        #expect(try await counts.next()?.count == 5_000)
        // The next thing that the watcher sees is the next change.
        try await world.serverDelete("0")
        try await replica.sync()
        #expect(try await counts.next()?.count == 4_999)
    }

    @Test("S23: a watch begun before, between and after pages ends with what a query finds")
    func watchesEndWithWhatAQueryFinds() async throws {
        let world = try await ScenarioWorld()
        try await fill(world, 20)
        let replica = try await world.replica { $0.pageLimit = 5 }
        var watches = [replica.store.values(Query("notes"))]
        var iterators = watches.map { $0.makeAsyncIterator() }
        for _ in 0..<3 {
            try await replica.advance(to: .changes)
            try await replica.resolve(.changes)
            watches.append(replica.store.values(Query("notes")))
            if let watch = watches.last { iterators.append(watch.makeAsyncIterator()) }
        }
        try await replica.sync()
        try await replica.put(["id": "mine"])
        try await replica.sync()
        iterators.append(replica.store.values(Query("notes")).makeAsyncIterator())
        let found = try replica.store.read { try $0.fetch(Query("notes")) }
        #expect(found.count == 21)
        for var iterator in iterators {
            var last: [JSONObject]? = []
            while let rows = last, rows != found { last = try await iterator.next() }
            #expect(last == found)
        }
    }

    @Test("S24: a large first sync goes on after each kill where it was, and reads go on beside it")
    func aLargeFirstSyncIsResumable() async throws {
        let world = try await ScenarioWorld(codesMessages: false)
        try await fill(world, 4_000)
        let replica = try await world.replica { $0.pageLimit = 200 }
        replica.isChecked = false
        var count = 0
        for page in 1...20 {
            try await replica.advance(to: .changes)
            // A reader that holds a moment sees that moment, whatever comes meanwhile.
            let (before, isWritten) = (count, page)
            let pull = try replica.take(.changes)
            let answer = await replica.arrive(pull)
            try await replica.answer(pull, answer)
            count = try replica.store.read { try $0.count(of: "notes") }
            #expect(before == (isWritten - 1) * 200 && count == isWritten * 200)
            try await replica.restart()
        }
        #expect(try replica.status.isSynced == false)
        try await replica.sync()
        #expect(try replica.store.read { try $0.count(of: "notes") } == 4_000)
        #expect(try replica.status.isSynced)
        // Every page was asked for once, and once more where the app was killed with it on its way.
        #expect(replica.count(.changes) <= 43)
    }

    @Test("S31: of two processes one drains; each sees the other's commits, and nothing is doubled")
    func oneProcessDrains() async throws {
        let world = try await ScenarioWorld()
        let disk = SimulatedDisk()
        let app = try await world.replica(on: try await disk.openJournal(owner: "1"))
        try await app.sync()
        // Another process may not write, and so not drain either.
        await #expect(throws: StorageError.self) { try await disk.openJournal(owner: "2") }
        try await app.put(["id": "a"])
        try await app.advance(to: .push)
        try await app.resolve(.push, .answerLost)
        // The system suspends the app; an extension writes, drains, and ends.
        try await app.store.suspend()
        let share = try await world.replica(on: try await disk.openJournal(owner: "2", seed: 9))
        #expect(try share.get("a") != nil)
        try await share.put(["id": "b"])
        try await share.sync()
        try await share.put(["id": "c"])
        try await share.store.close()
        try await app.store.resume()
        #expect(try app.records().count == 3)
        try await app.restart()
        try await app.sync()
        #expect(try world.records() == app.records())
        #expect(try app.status.isSynced)
        let versions = try world.server.store.read { transaction in
            try ["a", "b", "c"].map { try transaction.get($0, in: "notes") }
        }
        #expect(versions.count == 3)
        let keys = try app.operations.map(\.key) + share.operations.map(\.key)
        #expect(Set(keys).count == 3)
        try await app.store.close()
    }

    @Test("S31: a machine that outlives another process's turn goes on from what that left")
    func aMachineGoesOnAfterAnotherProcess() async throws {
        let world = try await ScenarioWorld()
        let disk = SimulatedDisk()
        let app = try await world.replica(on: try await disk.openJournal(owner: "1"))
        try await app.sync()
        try await app.put(["id": "a", "votes": 0])
        try await app.sync()
        try await app.write { try $0.increment("votes", of: "a", in: "notes") }
        try await app.advance(to: .push)
        let late = try app.take(.push)
        try await app.store.suspend()
        let share = try await world.replica(on: try await disk.openJournal(owner: "2", seed: 9))
        try await share.put(["id": "b"])
        try await share.sync()
        try await share.put(["id": "c"])
        try await share.advance(to: .push)
        try await share.resolve(.push, .answerLost)
        try await share.store.close()
        try await app.store.resume()
        try await app.put(["id": "d"])
        try await app.answer(late, await app.arrive(late))
        try await app.sync()
        #expect(try world.records() == app.records())
        #expect(try world.records().count == 4)
        #expect(try world.record("a")?["votes"] == 1)
        #expect(try app.status.isSynced)
        // One number is one mutation's, whoever sent it.
        var keys: [Int64: MutationKey] = [:]
        for operation in try app.operations + share.operations {
            #expect(keys[operation.sequence] ?? operation.key == operation.key)
            keys[operation.sequence] = operation.key
        }
        try await app.store.close()
    }
}
