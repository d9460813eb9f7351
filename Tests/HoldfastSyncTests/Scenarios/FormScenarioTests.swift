import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastTesting
import Testing

/// Scenarios of sync.md: two versions of the app, which say the same in two forms.
@Suite(.timeLimit(.minutes(20))) struct FormScenarioTests {
    static let rules = SyncRules(fields: ["votes": .counter])
    static let first = Schema(version: 1) { Table("notes").synced(rules) }
    static let second = Schema(version: 2) { Table("notes").synced(rules) }
        .migrate("split", from: 1, representationOnly: true) { transaction in
            try transaction.transform("notes") { note, _ in try Self.split(&note) }
        }

    struct Unsplittable: Error {}

    /// `name` becomes `first` and `last`, and `price` is in cents: run twice it would do harm.
    static func split(_ note: inout JSONObject) throws {
        if let price = note["price"]?.integerValue { note["price"] = .integer(price * 100) }
        guard let name = note["name"]?.stringValue else { return }
        let words = name.split(separator: " ")
        guard words.count == 2 else { throw Unsplittable() }
        note["name"] = nil
        note["first"] = .string(String(words[0]))
        note["last"] = .string(String(words[1]))
    }

    private static let ada: JSONObject = ["id": "a", "name": "Ada Lovelace", "price": 2]

    /// A server that knows no schema, a device with the old version, and one with the new.
    private func world() async throws -> (ScenarioWorld, old: Replica, new: Replica) {
        let world = try await ScenarioWorld(schema: Self.second, knowsSchema: false)
        let old = try await world.replica(schema: Self.first)
        try await old.sync()
        let new = try await world.syncedReplica()
        return (world, old, new)
    }

    @Test func whatAnOldVersionWritesArrivesInTheNewForm() async throws {
        let (world, old, new) = try await world()
        try await old.put(Self.ada)
        try await old.sync()
        try await new.sync()
        let expected: JSONObject = ["id": "a", "price": 200, "first": "Ada", "last": "Lovelace"]
        #expect(try new.get("a") == expected)
        #expect(try new.status.isSynced && new.status.pending == 0)
        #expect(new.pushes.isEmpty)
        #expect(try world.record("a") == Self.ada)
        // And by a snapshot.
        try await old.put(["id": "b", "name": "Alan Turing"])
        try await old.sync()
        try await old.delete("b")
        try await old.sync()
        try await world.server.purgeTombstones()
        let fresh = try await world.syncedReplica()
        #expect(fresh.count(.snapshot) > 0)
        #expect(try fresh.get("a") == expected)
    }

    @Test func recordThatIsAskedForAloneArrivesInTheNewForm() async throws {
        let (world, old, new) = try await world()
        try await old.put(Self.ada)
        try await old.sync()
        let request = RecordsRequest(client: ClientID("x"), table: "notes", ids: ["a"])
        let page = try await world.server.server.records(request, principal: new.principal)
        #expect(page.records.map(\.form) == [1])
        #expect(try await new.machine.take(page))
        #expect(try new.get("a")?["first"] == "Ada")
    }

    @Test func editInTheNewFormTakesTheWholeRecordThere() async throws {
        let (world, old, new) = try await world()
        try await old.put(Self.ada)
        try await old.sync()
        try await new.sync()
        try await new.write { try $0.patch("a", in: "notes", with: ["first": "Augusta"]) }
        try await new.sync()
        let expected: JSONObject = [
            "id": "a", "price": 200, "first": "Augusta", "last": "Lovelace",
        ]
        #expect(try world.record("a") == expected)
        let other = try await world.syncedReplica()
        #expect(try other.get("a") == expected && new.get("a") == expected)
        // What follows is a patch of what was edited, and nothing else.
        try await other.write { try $0.patch("a", in: "notes", with: ["price": 300]) }
        try await other.sync()
        #expect(try other.operations.last?.kind == .patch)
        #expect(try other.operations.last?.fields == ["price": 300])
        // S18: the old version has it as it came.
        try await old.sync()
        #expect(try old.get("a") == world.record("a"))
    }

    @Test func editsOfBothVersionsMeetInTheNewForm() async throws {
        let (world, old, new) = try await world()
        try await old.put(Self.ada)
        try await old.sync()
        try await new.sync()
        try await new.write { try $0.patch("a", in: "notes", with: ["first": "Augusta"]) }
        try await old.write { try $0.patch("a", in: "notes", with: ["price": 5, "color": "red"]) }
        try await old.sync()
        try await new.sync()
        let expected: JSONObject = [
            "id": "a", "price": 500, "first": "Augusta", "last": "Lovelace", "color": "red",
        ]
        #expect(try new.get("a") == expected)
        #expect(try world.record("a") == expected)
        #expect(try world.ledger.isEmpty)
    }

    @Test func stepOfACounterIsAddedToARecordOfItsForm() async throws {
        let (world, old, new) = try await world()
        try await old.put(Self.ada)
        try await old.sync()
        try await new.sync()
        try await old.write { try $0.increment("votes", of: "a", in: "notes", by: 1) }
        try await new.write { try $0.increment("votes", of: "a", in: "notes", by: 2) }
        try await old.sync()
        try await new.sync()
        let expected: JSONObject = [
            "id": "a", "price": 200, "votes": 3, "first": "Ada", "last": "Lovelace",
        ]
        #expect(try world.record("a") == expected)
        #expect(try new.get("a") == expected)
        #expect(try new.status.isSynced && new.status.pending == 0)
    }

    @Test func groupOfEditsAndStepsTakesTheRecordAlong() async throws {
        let (world, old, new) = try await world()
        try await old.put(Self.ada)
        try await old.sync()
        try await new.sync()
        try await new.write(atomicOnServer: true) { transaction in
            try transaction.increment("votes", of: "a", in: "notes", by: 2)
            try transaction.patch("a", in: "notes", with: ["first": "Augusta"])
            try transaction.put(["id": "b", "first": "Alan", "last": "Turing"], in: "notes")
        }
        try await new.sync()
        #expect(
            try world.record("a") == [
                "id": "a", "price": 200, "votes": 2, "first": "Augusta", "last": "Lovelace",
            ]
        )
        #expect(try world.record("b") != nil)
        #expect(try new.status.isSynced && new.status.pending == 0)
    }

    @Test func oldVersionIsToldThatARecordIsNotItsToEditAndTheRestGoesOn() async throws {
        let (world, old, new) = try await world()
        try await new.put(["id": "a", "first": "Ada", "last": "Lovelace", "price": 200])
        try await new.sync()
        try await old.sync()
        let storage = MemoryStorage()
        let third = try await world.replica(on: storage, schema: Self.first)
        try await third.sync()
        try await third.write { try $0.patch("a", in: "notes", with: ["name": "Ada Byron"]) }
        try await third.put(["id": "b", "name": "Alan Turing"])
        try await third.sync()
        guard case .needsAttention(let problem) = try third.status(of: "a") else {
            Issue.record("it was not refused")
            return
        }
        #expect(problem.type == ProblemType.olderForm)
        #expect(try third.status.pause == nil)
        #expect(try world.record("b") == ["id": "b", "name": "Alan Turing"])
        // The update says it in the new form, and does not step what was in it already.
        try await third.reopen(on: storage, schema: Self.second)
        try await third.sync()
        let expected: JSONObject = ["id": "a", "first": "Ada", "last": "Byron", "price": 200]
        #expect(try world.record("a") == expected)
        #expect(try third.get("a") == expected)
        #expect(try third.get("b") == ["id": "b", "first": "Alan", "last": "Turing"])
        #expect(try third.status.isSynced && third.status.attention == 0)
    }

    /// What an old version wrote of a record that had come in the new form.
    private func updated(
        _ write: @Sendable (inout WriteTransaction) throws -> Void
    ) async throws -> (ScenarioWorld, Replica) {
        let (world, _, new) = try await world()
        let storage = MemoryStorage()
        let old = try await world.replica(on: storage, schema: Self.first)
        try await new.put(["id": "a", "first": "Ada", "last": "Lovelace", "price": 200])
        try await new.sync()
        try await old.sync()
        try await old.write { try write(&$0) }
        try await old.sync()
        try await old.reopen(on: storage, schema: Self.second)
        try await old.sync()
        return (world, old)
    }

    @Test func patchOfTheOldFormIsSaidInTheNewOneAfterTheUpdate() async throws {
        let (world, phone) = try await updated { transaction in
            try transaction.patch("a", in: "notes", with: ["price": 3])
        }
        #expect(try world.record("a")?["price"] == 300)
        #expect(try phone.status.isSynced)
    }

    @Test func patchThatNoStepCanSayIsShownAndNotSent() async throws {
        let (world, phone) = try await updated { transaction in
            try transaction.patch("a", in: "notes", with: ["name": "Countess"])
        }
        #expect(try world.record("a")?["name"] == nil)
        let mutation = try #require(try phone.mutations.first)
        guard case .attention(let problem) = mutation.state else {
            Issue.record("nobody is told")
            return
        }
        #expect(problem.type == ProblemType.notStepped)
    }

    @Test func whatWaitsInTheOldFormIsMergedAfterTheUpdate() async throws {
        let world = try await ScenarioWorld(schema: Self.second, knowsSchema: false)
        let storage = MemoryStorage()
        let old = try await world.replica(on: storage, schema: Self.first)
        try await old.put(Self.ada)
        try await old.sync()
        let new = try await world.syncedReplica()
        try await old.write { try $0.patch("a", in: "notes", with: ["name": "Ada Byron"]) }
        try await new.write { try $0.patch("a", in: "notes", with: ["first": "Augusta"]) }
        try await new.sync()
        try await old.sync()
        // It cannot be merged here yet, and is not lost.
        #expect(try old.get("a")?["name"] == "Ada Byron")
        #expect(try old.status.pending == 1 && !old.status.isSynced)
        try await old.reopen(on: storage, schema: Self.second)
        try await old.sync()
        try await new.sync()
        let expected: JSONObject = ["id": "a", "price": 200, "first": "Augusta", "last": "Byron"]
        #expect(try world.record("a") == expected)
        #expect(try old.get("a") == expected && new.get("a") == expected)
    }

    @Test func recordThatNoStepCanBeRunOnStopsNothingAndIsCounted() async throws {
        let (world, old, _) = try await world()
        let storage = MemoryStorage()
        let new = try await world.replica(on: storage)
        try await old.put(["id": "a", "name": "Plato"])
        try await old.put(["id": "b", "name": "Alan Turing"])
        try await old.sync()
        try await new.sync()
        #expect(try new.get("a") == ["id": "a", "name": "Plato"])
        #expect(try new.get("b")?["last"] == "Turing")
        #expect(try new.status.unstepped == 1 && new.status.isSynced)
        // A version whose step can be run takes it up.
        let mended = Schema(version: 3) { Table("notes").synced(Self.rules) }
            .migrate("split", from: 1, representationOnly: true) { transaction in
                try transaction.transform("notes") { note, _ in
                    if note["name"] == "Plato" {
                        note = ["id": note["id"] ?? .null, "first": "Plato"]
                    } else {
                        try Self.split(&note)
                    }
                }
            }
        try await new.reopen(on: storage, schema: mended)
        #expect(try new.get("a") == ["id": "a", "first": "Plato"])
        #expect(try new.get("b")?["last"] == "Turing")
        #expect(try new.status.unstepped == 0)
    }

    @Test func editMakesARecordThatNoStepCouldBeRunOnOneOfTheNewForm() async throws {
        let (world, old, new) = try await world()
        try await old.put(["id": "a", "name": "Plato"])
        try await old.sync()
        try await new.sync()
        try await new.write { try $0.patch("a", in: "notes", with: ["first": "Plato"]) }
        try await new.sync()
        #expect(try world.record("a") == ["id": "a", "name": "Plato", "first": "Plato"])
        #expect(try new.status.unstepped == 0 && new.status.isSynced)
        let other = try await world.syncedReplica()
        #expect(try other.get("a") == world.record("a"))
        #expect(try other.status.unstepped == 0)
    }

    @Test func formThatIsLearntLaterStepsTheRecordThen() async throws {
        let (world, old, new) = try await world()
        try await old.put(Self.ada)
        try await old.sync()
        new.distortion = { _, answer in
            guard case .success(.changes(var page)) = answer else { return answer }
            for place in page.changes.indices { page.changes[place].form = 0 }
            return .success(.changes(page))
        }
        try await new.sync()
        #expect(try new.get("a") == Self.ada)
        new.distortion = { $1 }
        try await new.write { try $0.patch("a", in: "notes", with: ["color": "red"]) }
        try await new.sync()
        let expected: JSONObject = [
            "id": "a", "price": 200, "first": "Ada", "last": "Lovelace", "color": "red",
        ]
        #expect(try world.record("a") == expected)
        #expect(try new.get("a") == expected)
    }

    @Test func whatTheServerItselfWritesKeepsTheFormOfTheRecord() async throws {
        let (world, old, new) = try await world()
        try await old.put(Self.ada)
        try await old.sync()
        try await world.serverPut(["id": "a", "name": "Ada Byron", "price": 3])
        try await world.serverPatch("a", ["color": "red"])
        try await new.sync()
        #expect(
            try new.get("a") == [
                "id": "a", "price": 300, "first": "Ada", "last": "Byron", "color": "red",
            ]
        )
    }

    @Test func whatWasDiscardedInTheOldFormIsUndoneInTheNewOne() async throws {
        let (world, old, new) = try await world()
        try await old.put(Self.ada)
        try await old.sync()
        let other = try await world.replica(schema: Self.first)
        try await other.sync()
        for (replica, color) in [(old, "red"), (other, "blue")] as [(Replica, JSONValue)] {
            try await replica.write { try $0.patch("a", in: "notes", with: ["color": color]) }
            try await replica.sync()
        }
        try await old.write { try $0.patch("a", in: "notes", with: ["price": 3]) }
        try await old.sync()
        try await other.write { try $0.patch("a", in: "notes", with: ["price": 4]) }
        try await old.write { try $0.patch("a", in: "notes", with: ["price": 5]) }
        try await other.sync()
        try await old.sync()
        try await new.sync()
        #expect(try new.get("a")?["price"] == 500 && new.get("a")?["color"] == "blue")
        let ledger = try new.ledger
        #expect(Set(ledger.map(\.form)) == [1] && Set(ledger.map(\.field)) == ["color", "price"])
        // A color says the same in both forms; a price does not, and nobody guesses.
        for entry in ledger {
            do {
                try await new.write { try UndoCommand.undo(entry.id, Self.second, in: &$0) }
                #expect(entry.field == "color")
            } catch let error as SyncError {
                #expect(entry.field == "price" && error.code == .stale)
            }
        }
        #expect(try new.get("a")?["price"] == 500 && new.get("a")?["color"] == "red")
    }

    @Test func recordOfTheNewFormIsNotSteppedByTheUpdate() async throws {
        let (world, _, new) = try await world()
        let record: JSONObject = ["id": "a", "first": "Ada", "last": "Lovelace", "price": 200]
        try await new.put(record)
        try await new.sync()
        let storage = MemoryStorage()
        let old = try await world.replica(on: storage, schema: Self.first)
        try await old.sync()
        #expect(try old.get("a") == record)
        try await old.reopen(on: storage, schema: Self.second)
        try await old.sync()
        #expect(try old.get("a") == record)
        #expect(old.pushes.isEmpty)
    }

    // MARK: A server that knows the schema

    @Test func newVersionWaitsForTheServersUpdate() async throws {
        let world = try await ScenarioWorld(schema: Self.first)
        let old = try await world.replica(schema: Self.first)
        try await old.put(Self.ada)
        try await old.sync()
        let new = try await world.replica(schema: Self.second)
        try await new.sync()
        #expect(try new.get("a")?["first"] == "Ada")
        try await new.write { try $0.patch("a", in: "notes", with: ["first": "Augusta"]) }
        try await new.sync()
        #expect(try new.status.pending == 1 && new.status.attention == 0)
        try await world.update(to: Self.second, [old, new])
        try await new.run(for: .seconds(3_600))
        let expected: JSONObject = [
            "id": "a", "price": 200, "first": "Augusta", "last": "Lovelace",
        ]
        #expect(try world.record("a") == expected)
        #expect(try new.get("a") == expected)
        // The old version may add records, which the server brings to its form.
        try await old.put(["id": "b", "name": "Alan Turing"])
        try await old.sync()
        #expect(try world.record("b") == ["id": "b", "first": "Alan", "last": "Turing"])
        #expect(try old.get("b") == world.record("b"))
    }

    @Test func recordThatTheServerHasSteppedMeanwhileIsNotSentAgainAndAgain() async throws {
        let world = try await ScenarioWorld(schema: Self.first)
        let old = try await world.replica(schema: Self.first)
        try await old.put(Self.ada)
        try await old.sync()
        let new = try await world.replica(schema: Self.second)
        try await new.sync()
        try await new.write { try $0.increment("votes", of: "a", in: "notes", by: 2) }
        // The record, and the step behind it: put off.
        try await new.sync()
        #expect(try new.status.pending == 2)
        try await world.update(to: Self.second, [new])
        let count = new.sent.count
        try await new.run(for: .seconds(1_200))
        #expect(new.sent.count - count < 40)
        #expect(try world.record("a")?["votes"] == 2 && new.get("a") == world.record("a"))
        #expect(try new.status.isSynced)
    }

    @Test func frozenBytesOfTheOldVersionAreRefusedAndSaidAnew() async throws {
        let world = try await ScenarioWorld(schema: Self.first)
        let storage = MemoryStorage()
        let replica = try await world.replica(on: storage, schema: Self.first)
        try await replica.put(Self.ada)
        try await replica.sync()
        try await replica.write { try $0.patch("a", in: "notes", with: ["name": "Ada Byron"]) }
        try await replica.advance(to: .push)
        try await replica.resolve(.push, .requestLost)
        try await world.update(to: Self.second, [replica])
        try await replica.reopen(on: storage, schema: Self.second)
        try await replica.sync()
        #expect(try replica.status.pause == nil)
        #expect(
            try world.record("a") == ["id": "a", "price": 200, "first": "Ada", "last": "Byron"]
        )
        #expect(try replica.status.isSynced)
    }

    @Test func editOnAStateBeforeTheServersUpdateOverwritesNothingUnseen() async throws {
        let world = try await ScenarioWorld(schema: Self.first)
        let old = try await world.replica(schema: Self.first)
        try await old.put(Self.ada)
        try await old.sync()
        let new = try await world.replica(schema: Self.second)
        try await new.sync()
        try await old.write { try $0.patch("a", in: "notes", with: ["name": "Ada Byron"]) }
        try await old.sync()
        try await world.update(to: Self.second, [old, new])
        // The server cannot tell that this changed `last`, and must not take it for unchanged.
        try await new.write { try $0.patch("a", in: "notes", with: ["first": "Augusta"]) }
        try await new.sync()
        #expect(
            try world.record("a")
                == ["id": "a", "price": 200, "first": "Augusta", "last": "Byron"]
        )
    }
}
