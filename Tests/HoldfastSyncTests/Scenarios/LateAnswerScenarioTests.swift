import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastTesting
import Testing

/// What an answer is worth that comes when something else is known already.
@Suite(.timeLimit(.minutes(20))) struct LateAnswerScenarioTests {
    @Test(
        "I3: the snapshot of one scope takes nothing of a record that waits to be pulled in another"
    )
    func aSnapshotOfAnotherScopeTakesNothing() async throws {
        let teams = ScopeScenarioTests.Teams()
        let world = try await ScenarioWorld(teams.configuration)
        for id in ["kept", "old"] {
            try await world.serverPut(["id": .string(id), "team": "blue"])
        }
        let replica = try await world.syncedReplica()
        try await world.serverDelete("old")
        try await world.server.purgeTombstones()
        try await replica.put(["id": "mine", "team": "red", "votes": 0])
        try await replica.advance(to: .push)
        try await replica.write { try $0.increment("votes", of: "mine", in: "notes", by: 1) }
        try await replica.resolve(.push)
        try await replica.sync()
        #expect(replica.count(.snapshot) > 0)
        #expect(try world.record("mine") == ["id": "mine", "team": "red", "votes": 1])
        #expect(try world.ledger.isEmpty && replica.get("old") == nil)
        #expect(try replica.status.isSynced)
    }

    @Test("L1: an effect that is learnt of after its record was deleted and forgotten is no record")
    func aForgottenRecordIsGoneWhateverALateAnswerSays() async throws {
        let world = try await ScenarioWorld()
        try await world.serverPut(["id": "a", "x": 0])
        try await world.serverPut(["id": "kept"])
        let replica = try await world.syncedReplica()
        try await replica.put(["id": "a", "x": 1])
        try await replica.put(["id": "b"])
        try await replica.advance(to: .push)
        _ = await replica.arrive(try replica.take(.push))
        for id in ["a", "b"] as [RecordID] { try await world.serverDelete(id) }
        try await world.server.purgeTombstones()
        try await replica.run(for: .seconds(600))
        #expect(replica.count(.snapshot) > 0)
        #expect(try replica.records() == [["id": "kept"]])
        #expect(try world.records() == [["id": "kept"]])
        #expect(try replica.status.isSynced)
    }

    @Test("S41: an answer from before the server was restored begins no history")
    func anAnswerOfTheOldHistoryBeginsNone() async throws {
        let world = try await ScenarioWorld()
        try await world.serverPut(["id": "a", "x": 0])
        let backup = try world.server.backup()
        let replica = try await world.syncedReplica()
        try await replica.put(["id": "b"])
        try await replica.advance(to: .push)
        let request = try replica.take(.push)
        let late = await replica.arrive(request)
        try await world.server.restore(backup)
        try await world.serverPut(["id": "a", "x": 7])
        try await replica.handle(.trigger(.poke()))
        try await replica.resolve(.changes)
        try await replica.advance(to: .snapshot)
        let snapshots = replica.count(.snapshot)
        try await replica.answer(request, late)
        try await replica.run(for: .seconds(120))
        // One of each scope, and none anew.
        #expect(replica.count(.snapshot) <= snapshots + 1)
        #expect(try world.record("a") == ["id": "a", "x": 7])
        #expect(try world.record("b") == ["id": "b"])
        #expect(try replica.records() == world.records() && replica.status.isSynced)
        #expect(try world.ledger.isEmpty)
    }

    @Test("S41: a request that was on its way when the server was restored has no effect there")
    func aLateRequestIsRefusedByTheNewHistory() async throws {
        let world = try await ScenarioWorld()
        try await world.serverPut(["id": "a", "x": 0, "votes": 0])
        let replica = try await world.syncedReplica()
        let backup = try world.server.backup()
        try await replica.write { try $0.increment("votes", of: "a", in: "notes", by: 2) }
        try await replica.put(["id": "a", "x": 1, "votes": 2])
        try await replica.advance(to: .push)
        let copy = try #require(replica.held.first { $0.request.kind == .push })
        try await replica.run(for: .seconds(60))
        #expect(try world.record("a") == ["id": "a", "x": 1, "votes": 2])
        try await world.server.restore(backup)
        try await replica.put(["id": "a", "x": 3, "votes": 2])
        try await replica.run(for: .seconds(120))
        let records = try world.records()
        guard case .failure(let failure) = await replica.arrive(copy) else {
            Issue.record("the restored server applied it")
            return
        }
        #expect(failure.kind == .refused(status: 409))
        #expect(failure.problem?.type == ProblemType.epochChanged)
        #expect(try world.records() == records)
        #expect(try world.record("a")?["x"] == 3)
        #expect(try replica.records() == world.records() && replica.status.isSynced)
    }

    @Test("S41: a client learns of the restored server by the refusal of what it sends")
    func aRefusedPushFindsTheNewHistory() async throws {
        let world = try await ScenarioWorld()
        try await world.serverPut(["id": "a", "x": 0])
        let backup = try world.server.backup()
        let replica = try await world.syncedReplica()
        try await replica.put(["id": "b"])
        try await replica.advance(to: .push)
        try await world.server.restore(backup)
        try await replica.run(for: .seconds(60))
        #expect(try world.record("b") == ["id": "b"])
        #expect(try replica.records() == world.records() && replica.status.isSynced)
    }

    @Test("S15: what waited for an answer is gone when a snapshot lacks it")
    func whatWasKnownBeforeASnapshotGoesWithIt() async throws {
        let world = try await ScenarioWorld()
        for id in ["a", "kept"] { try await world.serverPut(["id": .string(id), "x": 0]) }
        let replica = try await world.syncedReplica()
        replica.interception = { request in
            request.kind == .push ? .failure(TransportFailure(.timedOut)) : nil
        }
        try await replica.delete("a")
        try await replica.run(for: .seconds(5))
        try await world.serverPatch("a", ["x": 1])
        try await replica.run(for: .seconds(60))
        try await world.serverDelete("a")
        try await world.server.purgeTombstones()
        try await replica.run(for: .seconds(60))
        #expect(replica.count(.snapshot) == 1)
        replica.interception = { _ in nil }
        try await replica.run(for: .seconds(600))
        #expect(try replica.get("a") == nil && world.record("a") == nil)
        #expect(try replica.records() == world.records() && replica.status.isSynced)
    }

    @Test(
        "S41: what the lost history had said while an answer was awaited is not planned with",
        arguments: [false, true]
    )
    func whatTheLostHistorySaidIsForgotten(isDeletion: Bool) async throws {
        let world = try await ScenarioWorld()
        try await world.serverPut(["id": "a", "x": 0, "y": 0])
        let replica = try await world.syncedReplica()
        replica.interception = { request in
            request.kind == .push ? .failure(TransportFailure(.timedOut)) : nil
        }
        try await replica.delete("a")
        try await replica.run(for: .seconds(5))
        try await world.serverPatch("a", ["x": 1])
        let backup = try world.server.backup()
        if isDeletion {
            try await world.serverDelete("a")
        } else {
            try await world.serverPatch("a", ["y": 7])
        }
        try await replica.run(for: .seconds(60))
        try await world.server.restore(backup)
        try await replica.run(for: .seconds(60))
        replica.interception = { _ in nil }
        try await replica.run(for: .seconds(600))
        #expect(try world.record("a") == ["id": "a", "x": 1, "y": 0])
        #expect(try replica.records() == world.records() && replica.status.isSynced)
    }
}
