import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastTesting
import Testing

/// What waits for another version of the app is seen to wait, and is not sent in a form that it is
/// not in.
@Suite(.timeLimit(.minutes(20))) struct FormWaitingTests {
    private static let first = FormScenarioTests.first
    private static let second = FormScenarioTests.second
    private static let ada: JSONObject = ["id": "a", "name": "Ada Lovelace", "price": 2]
    private static let newAda: JSONObject = [
        "id": "a", "first": "Ada", "last": "Lovelace", "price": 200,
    ]
    /// The version whose step knows what to do with a name of one word.
    private static let mended = Schema(version: 3) {
        Table("notes").synced(FormScenarioTests.rules)
    }
    .migrate("split", from: 1, representationOnly: true) { transaction in
        try transaction.transform("notes") { note, _ in
            if note["name"] == "Plato" {
                note["name"] = nil
                note["first"] = "Plato"
            } else {
                try FormScenarioTests.split(&note)
            }
        }
    }

    private func world(
        actions: [String: SyncServerConfiguration.ActionHandler] = [:]
    ) async throws -> ScenarioWorld {
        var configuration = SyncServerConfiguration()
        configuration.actions = actions
        return try await ScenarioWorld(configuration, schema: Self.second, knowsSchema: false)
    }

    @Test func aPatchBehindAnActionOfItsGroupDoesNotTakeItsEffectBack() async throws {
        let world = try await world(actions: [
            "publish": { call, transaction in
                let id = call.record.id
                try transaction.patch(id, in: call.record.table, with: ["published": true])
            }
        ])
        let old = try await world.replica(schema: Self.first)
        try await old.put(Self.ada)
        try await old.sync()
        let new = try await world.syncedReplica()
        try await new.write(atomicOnServer: true) { transaction in
            try transaction.perform("publish", of: "a", in: "notes")
            try transaction.patch("a", in: "notes", with: ["first": "Augusta"])
        }
        try await new.sync()
        let expected: JSONObject = [
            "id": "a", "price": 200, "first": "Augusta", "last": "Lovelace", "published": true,
        ]
        #expect(try world.record("a") == expected)
        #expect(try new.get("a") == expected && new.status.isSynced)
    }

    @Test func aCountOnARecordThatNoStepCanReadWaitsAndIsSeenTo() async throws {
        let world = try await world()
        let old = try await world.replica(schema: Self.first)
        try await old.put(["id": "a", "name": "Plato"])
        try await old.sync()
        let storage = MemoryStorage()
        let new = try await world.replica(on: storage)
        try await new.sync()
        try await new.write { try $0.increment("votes", of: "a", in: "notes", by: 2) }
        try await new.sync()
        #expect(try world.record("a") == ["id": "a", "name": "Plato"])
        #expect(try new.problem(of: "a")?.type == ProblemType.olderForm)
        #expect(try new.status.attention == 1 && !new.status.isSynced)
        // The version whose steps can read it counts.
        try await new.reopen(on: storage, schema: Self.mended)
        try await new.sync()
        #expect(try world.record("a") == ["id": "a", "first": "Plato", "votes": 2])
        #expect(try new.get("a") == world.record("a") && new.status.isSynced)
    }

    @Test func anEditOfARecordThatNoStepCouldReadIsKeptWhenALaterOneCan() async throws {
        let world = try await world()
        let old = try await world.replica(schema: Self.first)
        try await old.put(["id": "a", "name": "Plato", "price": 2])
        try await old.sync()
        let storage = MemoryStorage()
        let new = try await world.replica(on: storage)
        try await new.sync()
        #expect(try new.status.unstepped == 1)
        try await new.write { try $0.patch("a", in: "notes", with: ["last": "of Athens"]) }
        try await new.reopen(on: storage, schema: Self.mended)
        #expect(try new.status.unstepped == 0)
        try await new.sync()
        let expected: JSONObject = [
            "id": "a", "first": "Plato", "last": "of Athens", "price": 2,
        ]
        #expect(try world.record("a") == expected)
        #expect(try new.get("a") == expected && new.status.isSynced)
    }

    /// An old version's store in which something waits beside a newer form.
    private func meeting(
        _ storage: MemoryStorage,
        _ world: ScenarioWorld,
        _ write: @Sendable (inout WriteTransaction) throws -> Void
    ) async throws -> Replica {
        let old = try await world.replica(on: storage, schema: Self.first)
        try await old.put(Self.ada)
        try await old.sync()
        let new = try await world.syncedReplica()
        try await new.write { try $0.patch("a", in: "notes", with: ["first": "Augusta"]) }
        try await old.write { try write(&$0) }
        try await new.sync()
        // What was written meets the newer form as a conflict.
        try await old.run(for: .seconds(600))
        return old
    }

    @Test func anEditBesideANewerFormIsSeenToWaitForTheUpdate() async throws {
        let world = try await world()
        let storage = MemoryStorage()
        let old = try await meeting(storage, world) { transaction in
            try transaction.patch("a", in: "notes", with: ["price": 3])
        }
        #expect(try old.problem(of: "a")?.type == ProblemType.olderForm)
        #expect(try old.status.attention == 1 && !old.status.isSynced)
        // Edited again it waits again, as visibly.
        try await old.write { try $0.patch("a", in: "notes", with: ["price": 4]) }
        try await old.run(for: .seconds(600))
        #expect(try old.problem(of: "a")?.type == ProblemType.olderForm)
        #expect(try old.get("a")?["price"] == 4)
        try await old.reopen(on: storage, schema: Self.second)
        try await old.sync()
        let expected: JSONObject = [
            "id": "a", "price": 400, "first": "Augusta", "last": "Lovelace",
        ]
        #expect(try world.record("a") == expected)
        #expect(try old.get("a") == expected && old.status.isSynced)
    }

    @Test func aDeletionBesideANewerFormIsDecidedAsAnyOther() async throws {
        let world = try await world()
        let old = try await meeting(MemoryStorage(), world) { transaction in
            try transaction.delete("a", in: "notes")
        }
        // The edit wins, and nothing waits.
        #expect(try world.record("a")?["first"] == "Augusta")
        #expect(try old.get("a") == world.record("a"))
        #expect(try old.status.isSynced)
    }

    @Test func whatWasSentOnANewerFormIsSaidInItWhenItIsRefused() async throws {
        let world = try await world()
        let storage = MemoryStorage()
        let new = try await world.replica()
        try await new.put(Self.newAda)
        try await new.sync()
        let old = try await world.replica(on: storage, schema: Self.first)
        try await old.sync()
        try await old.write { try $0.patch("a", in: "notes", with: ["price": 3]) }
        try await old.advance(to: .push)
        try await old.resolve(.push, .requestLost)
        try await old.reopen(on: storage, schema: Self.second)
        try await old.sync()
        #expect(try world.record("a")?["price"] == 300)
        #expect(try old.get("a") == world.record("a") && old.status.isSynced)
    }

    @Test func whatWasSentAndNoStepCanSayIsShownWhenItIsRefused() async throws {
        let world = try await world()
        let storage = MemoryStorage()
        let new = try await world.replica()
        try await new.put(Self.newAda)
        try await new.sync()
        let old = try await world.replica(on: storage, schema: Self.first)
        try await old.sync()
        try await old.write { try $0.patch("a", in: "notes", with: ["name": "Countess"]) }
        try await old.advance(to: .push)
        try await old.resolve(.push, .requestLost)
        try await old.reopen(on: storage, schema: Self.second)
        try await old.sync()
        #expect(try world.record("a") == Self.newAda)
        #expect(try old.problem(of: "a")?.type == ProblemType.notStepped)
    }
}

extension Replica {
    /// Why a record needs attention.
    fileprivate func problem(of id: RecordID) throws -> SyncProblem? {
        guard case .needsAttention(let problem) = try status(of: id) else { return nil }
        return problem
    }
}
