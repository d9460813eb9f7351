import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastTesting
import Testing

/// Requests that the server refuses as a whole while a copy of them is still on its way.
@Suite(.timeLimit(.minutes(20))) struct GivenUpScenarioTests {
    private func counted(_ world: ScenarioWorld) async throws -> Replica {
        try await world.serverPut(["id": "a", "votes": 0])
        let replica = try await world.syncedReplica()
        try await replica.write { try $0.increment("votes", of: "a", in: "notes", by: 2) }
        try await replica.advance(to: .push)
        return replica
    }

    private func retry(_ replica: Replica) async throws {
        let mutation = try #require(try replica.mutations.first)
        let commands = replica.machine.commands
        try await replica.store.writeUnrecorded { try commands.retry(mutation.key, in: &$0) }
        try await replica.handle(.trigger(.localWrite))
    }

    private func refuse(
        _ replica: Replica,
        _ status: Int = 413
    ) async throws -> SyncMachine.Outgoing {
        let refused = try replica.take(.push)
        try await replica.answer(refused, .failure(TransportFailure(.refused(status: status))))
        return refused
    }

    @Test(
        "S26: a step of a counter that was given up, arrives late and is sent again counts once",
        arguments: [400, 413],
        [false, true]
    ) func aStepThatWasGivenUpCountsOnce(_ status: Int, isRestarted: Bool) async throws {
        let world = try await ScenarioWorld()
        let replica = try await counted(world)
        let late = try await refuse(replica, status)
        #expect(try replica.mutations.first?.needsAttention == true)
        // The server forgets no key that may still come.
        try await replica.put(["id": "b"])
        try await replica.run(for: .seconds(5))
        #expect(replica.pushes.last?.acknowledgedThrough == 0)
        _ = await replica.arrive(late)
        if isRestarted { try await replica.restart() }
        try await retry(replica)
        try await replica.sync()
        #expect(try world.record("a")?["votes"] == 2)
        #expect(try replica.get("a")?["votes"] == 2)
        #expect(try replica.operations.filter { $0.record.id == "a" }.map(\.sequence) == [1, 1])
        #expect(try replica.status.isSynced)
    }

    @Test("S26: the late copy may also arrive after the retry, or none may ever have arrived")
    func aCopyBehindTheRetryCountsOnce() async throws {
        let world = try await ScenarioWorld()
        let replica = try await counted(world)
        let late = try await refuse(replica)
        try await retry(replica)
        try await replica.sync()
        _ = await replica.arrive(late)
        try await replica.sync()
        #expect(try world.record("a")?["votes"] == 2)
        #expect(try replica.get("a")?["votes"] == 2)
        #expect(try replica.status.isSynced)
    }

    @Test("A step that was given up and arrived all the same is confirmed by the pull")
    func aPullConfirmsWhatWasGivenUp() async throws {
        let world = try await ScenarioWorld()
        let replica = try await counted(world)
        _ = await replica.arrive(try await refuse(replica))
        try await replica.sync()
        #expect(try replica.mutations.isEmpty)
        #expect(try replica.get("a")?["votes"] == 2)
        #expect(try replica.status.isSynced)
    }

    @Test("A step that was given up goes on as it is when its record is edited, and when it goes")
    func anEditRetriesWhatWasGivenUpAsItIs() async throws {
        let world = try await ScenarioWorld()
        let replica = try await counted(world)
        let key = try #require(try replica.mutations.first).key
        let late = try await refuse(replica)
        _ = await replica.arrive(late)
        try await replica.write { try $0.patch("a", in: "notes", with: ["x": 1]) }
        #expect(try replica.mutations.first?.key == key)
        try await replica.sync()
        #expect(try world.record("a") == ["id": "a", "votes": 2, "x": 1])
        #expect(try replica.status.isSynced)
    }

    @Test("A step that was put off too often may still arrive, and counts once after a retry")
    func aStepThatWasPutOffCountsOnce() async throws {
        let world = try await ScenarioWorld()
        let replica = try await counted(world)
        let late = try #require(replica.held.first { $0.request.kind == .push })
        replica.interception = { request in
            guard case .push(let push) = request else { return nil }
            let keys = push.operations.compactMap { try? PushOperation(text: $0.text).key }
            let problem = SyncProblem(type: ProblemType.missingParent, detail: "")
            return replica.response(
                keys.map { PushResult(key: $0, status: .deferred, problem: problem) }
            ).map { .success(.push($0)) }
        }
        try await replica.run(for: .seconds(1_200))
        #expect(try replica.mutations.first?.needsAttention == true)
        replica.interception = { _ in nil }
        _ = await replica.arrive(late)
        try await retry(replica)
        try await replica.sync()
        #expect(try world.record("a")?["votes"] == 2)
        #expect(try replica.status.isSynced)
    }
}
