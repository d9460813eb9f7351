import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastTesting
import Testing

/// Scenarios of sync.md: reading the server's history.
@Suite(.timeLimit(.minutes(20))) struct PullScenarioTests {
    @Test("S11: ten thousand records with one timestamp arrive in pages of 500, and it ends")
    func recordsOfOneTimestampArrive() async throws {
        let world = try await ScenarioWorld()
        try await world.server.write { transaction in
            for number in 0..<10_000 {
                let id = RecordID(Int64(number))
                try transaction.put(["updatedAt": 1_000], of: id, in: "notes")
            }
        }
        let replica = try await world.replica { $0.pageLimit = 500 }
        replica.isChecked = false
        try await replica.sync()
        #expect(try replica.store.read { try $0.count(Query("notes")) } == 10_000)
        #expect(replica.count(.changes) <= 21)
        #expect(try replica.status.isSynced)
    }

    @Test("S12: two tables and older tombstones under one limit: nothing is skipped")
    func tablesAndTombstonesShareALimit() async throws {
        let world = try await ScenarioWorld()
        for number in 0..<30 {
            try await world.serverPut(["id": .string("n\(number)")])
            try await world.serverPut(["id": .string("f\(number)")], in: "folders")
        }
        let reader = try await world.replica { $0.pageLimit = 7 }
        try await reader.sync()
        for number in 0..<30 where number.isMultiple(of: 3) {
            try await world.serverDelete(RecordID("n\(number)"))
        }
        for number in 0..<30 where number.isMultiple(of: 2) {
            try await world.serverPatch(RecordID("f\(number)"), ["x": 1], in: "folders")
        }
        try await reader.sync()
        let fresh = try await world.replica { $0.pageLimit = 7 }
        try await fresh.sync()
        for replica in [reader, fresh] {
            #expect(try replica.records() == world.records())
            #expect(try replica.records(in: "folders") == world.records(in: "folders"))
        }
    }

    @Test("S13: a transaction that began earlier and commits later is delivered")
    func aLaterCommitIsDelivered() async throws {
        let world = try await ScenarioWorld()
        let replica = try await world.replica { $0.pageLimit = 3 }
        // Writers at once, a reader in between: whatever order they commit in, it reads all.
        let server = world.server
        for round in 0..<10 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<8 {
                    group.addTask {
                        let id = RecordID(Int64(round * 8 + writer))
                        try await server.write { _ = try $0.put([:], of: id, in: "notes") }
                    }
                }
                try await replica.sync()
                try await group.waitForAll()
            }
        }
        try await replica.sync()
        #expect(try replica.records().count == 80)
    }

    @Test(
        "S14: a history of exactly k pages, or none, takes k + 1 requests at most",
        arguments: 0...4
    )
    func wholePagesEnd(_ pages: Int) async throws {
        let world = try await ScenarioWorld()
        for number in 0..<pages * 5 { try await world.serverPut(["id": .string("\(number)")]) }
        let replica = try await world.replica { $0.pageLimit = 5 }
        try await replica.run(for: .seconds(5))
        #expect(try replica.records().count == pages * 5)
        #expect(replica.count(.changes) <= pages + 1)
        #expect(try replica.status.isSynced)
    }

    @Test func aPageWithoutNewsWritesNothing() async throws {
        let world = try await ScenarioWorld()
        try await world.serverPut(["id": "a"])
        let replica = try await world.syncedReplica()
        let (number, pages) = (try replica.store.sequenceNumber, replica.count(.changes))
        try await replica.sync()
        #expect(replica.count(.changes) > pages)
        #expect(try replica.store.sequenceNumber == number)
        try await world.serverPatch("a", ["x": 1])
        try await replica.sync()
        #expect(try replica.records() == world.records())
    }

    @Test("S33: a server that always asks for a new snapshot is tried three times, then shown")
    func endlessSnapshotsEnd() async throws {
        let world = try await ScenarioWorld()
        try await world.serverPut(["id": "a"])
        let replica = try await world.syncedReplica()
        let problem = SyncProblem(type: ProblemType.cursorExpired, detail: "again")
        replica.distortion = { request, answer in
            guard case .changes = request else { return answer }
            return .failure(TransportFailure(.refused(status: 410), problem: problem))
        }
        try await replica.put(["id": "b"])
        let count = replica.sent.count
        try await replica.run(for: .seconds(280))
        #expect(replica.sent.count - count < 20)
        #expect(replica.count(.snapshot) <= 4)
        #expect(try replica.status.pause == .invalidAnswers)
        #expect(try replica.get("a") != nil)
        // Pushing does not wait for it.
        #expect(try world.record("b") != nil)
        // Once the server is well again, it goes on by itself.
        replica.distortion = { $1 }
        try await replica.run(for: .seconds(900))
        #expect(try replica.status.isSynced)
    }
}
