import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastTesting
import Testing

/// Scenarios of sync.md: versions of the app.
@Suite(.timeLimit(.minutes(20))) struct UpgradeScenarioTests {
    private static let first = Schema(version: 1) { Table("notes").synced() }

    @Test("S18: what an old version did not know is there after the upgrade")
    func unknownDataSurvivesAnUpgrade() async throws {
        let second = Schema(version: 2) {
            Table("notes") { Index("color") }.synced()
            Table("tags") { Index("name") }.synced()
        }
        let world = try await ScenarioWorld(schema: second)
        try await world.serverPut(["id": "a", "title": "t", "color": "red"])
        try await world.serverPut(["id": "t", "name": "urgent"], in: "tags")
        let storage = MemoryStorage()
        let replica = try await world.replica(on: storage, schema: Self.first)
        try await replica.sync()
        try await replica.write { try $0.patch("a", in: "notes", with: ["title": "edited"]) }
        try await replica.sync()
        // Before the upgrade more comes, and something waits.
        try await world.serverPatch("t", ["name": "later"], in: "tags")
        try await replica.sync()
        try await replica.put(["id": "b", "title": "waits"])
        try await replica.reopen(on: storage, schema: second)
        #expect(try replica.get("a") == ["id": "a", "title": "edited", "color": "red"])
        let tags = try replica.store.read {
            try $0.fetch(Query("tags").where("name", .equals, "later"))
        }
        #expect(tags == [["id": "t", "name": "later"]])
        try await replica.sync()
        #expect(try world.record("a") == ["id": "a", "title": "edited", "color": "red"])
        #expect(try world.record("b") != nil)
        #expect(try replica.status.isSynced)
    }

    private static var migrated: Schema {
        Schema(version: 2) { Table("notes").synced() }
            .migrate("rename", from: 1, representationOnly: true) { transaction in
                try transaction.renameField("title", to: "name", in: "notes")
            }
    }

    @Test(
        "S38: a server that demands a newer schema pauses sync; pending changes survive the update"
    )
    func pendingChangesSurviveAnUpdate() async throws {
        let second = Self.migrated
        let world = try await ScenarioWorld(schema: second)
        let storage = MemoryStorage()
        let replica = try await world.replica(on: storage, schema: Self.first)
        try await replica.sync()
        try await replica.put(["id": "a", "title": "mine"])
        try await replica.advance(to: .push)
        // The server has moved on meanwhile.
        replica.distortion = Self.demandingUpgrade(2...2)
        replica.interception = { request in
            guard case .push(let push) = request else { return nil }
            return Self.refusal(of: push, replica)
        }
        try await replica.resolve(.push)
        try await replica.put(["id": "b", "title": "later"])
        try await replica.run(for: .seconds(3_600))
        #expect(try replica.status.pause == .upgrade)
        #expect(try replica.status.pending == 2 && replica.status.attention == 0)
        #expect(replica.sent.count < 60)
        replica.interception = { _ in nil }
        try await replica.reopen(on: storage, schema: second)
        #expect(try replica.get("a") == ["id": "a", "name": "mine"])
        try await replica.sync()
        #expect(try world.record("a") == ["id": "a", "name": "mine"])
        #expect(try world.record("b") == ["id": "b", "name": "later"])
        #expect(try replica.status.isSynced && replica.status.pause == nil)
    }

    @Test("S38: what had been sent before the update keeps its bytes, and has one effect")
    func whatWasSentKeepsItsBytes() async throws {
        let second = Self.migrated
        let world = try await ScenarioWorld(schema: Self.first)
        let storage = MemoryStorage()
        let replica = try await world.replica(on: storage, schema: Self.first)
        try await replica.sync()
        try await replica.put(["id": "a", "title": "mine"])
        try await replica.advance(to: .push)
        try await replica.resolve(.push, .answerLost)
        try await replica.reopen(on: storage, schema: second)
        try await replica.advance(to: .push)
        let pushes = replica.pushes
        #expect(pushes.count == 2 && pushes[0].operations == pushes[1].operations)
        try await replica.sync()
        #expect(try world.records().count == 1)
        #expect(try replica.status.pending == 0)
    }

    private static func demandingUpgrade(
        _ versions: ClosedRange<Int>
    ) -> (SyncRequest, Replica.Answer) -> Replica.Answer {
        { _, answer in
            guard case .success(.hello(var hello)) = answer else { return answer }
            hello.schemas = versions
            return .success(.hello(hello))
        }
    }

    private static func refusal(of push: PushRequest, _ replica: Replica) -> Replica.Answer? {
        let problem = SyncProblem(type: ProblemType.upgradeRequired, detail: "update the app")
        let results = push.operations.compactMap { operation in
            (try? PushOperation(text: operation.text)).map {
                PushResult(key: $0.key, status: .rejected, problem: problem)
            }
        }
        return replica.response(results).map { .success(.push($0)) }
    }
}
