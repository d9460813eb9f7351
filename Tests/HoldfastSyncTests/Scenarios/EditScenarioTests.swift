import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastTesting
import Testing

/// Scenarios of sync.md: edits that meet a request on its way.
@Suite(.timeLimit(.minutes(20))) struct EditScenarioTests {
    @Test("S1: an edit during a push stays pending when the answer comes, on the new version")
    func anEditDuringAPushStaysPending() async throws {
        let world = try await ScenarioWorld()
        let replica = try await world.syncedReplica()
        try await replica.put(["id": "a", "x": 1])
        try await replica.advance(to: .push)
        try await replica.put(["id": "a", "x": 2])
        try await replica.resolve(.push)
        #expect(try replica.get("a") == ["id": "a", "x": 2])
        #expect(try replica.status.pending == 1)
        try await replica.sync()
        #expect(try world.record("a") == ["id": "a", "x": 2])
        let operations = try replica.operations
        #expect(operations.map(\.kind) == [.put, .patch])
        #expect(operations[1].base != nil && operations[0].base == nil)
        #expect(try world.ledger.isEmpty)
    }

    @Test("S1: an edit that leads back to what was agreed is sent while another value is in flight")
    func anEditBackToTheBaseIsSent() async throws {
        let world = try await ScenarioWorld()
        try await world.serverPut(["id": "a", "x": 1])
        let replica = try await world.syncedReplica()
        try await replica.put(["id": "a", "x": 2])
        try await replica.advance(to: .push)
        try await replica.put(["id": "a", "x": 1])
        try await replica.resolve(.push)
        #expect(try replica.status.pending == 1)
        try await replica.sync()
        #expect(try world.record("a") == ["id": "a", "x": 1])
    }

    @Test("S2: a record deleted after its push stays deleted when the pull echoes it")
    func theEchoOfACreationDoesNotRevive() async throws {
        let world = try await ScenarioWorld()
        let (replica, other) = (
            try await world.syncedReplica(), try await world.syncedReplica()
        )
        try await replica.put(["id": "a"])
        try await replica.advance(to: .push)
        try await replica.resolve(.push)
        try await replica.advance(to: .changes)
        let pull = try replica.take(.changes)
        let echo = await replica.arrive(pull)
        try await replica.delete("a")
        try await replica.answer(pull, echo)
        #expect(try replica.get("a") == nil)
        try await replica.sync()
        #expect(try replica.operations.map(\.kind) == [.put, .delete])
        try await other.sync()
        for records in [try replica.records(), try other.records(), try world.records()] {
            #expect(records.isEmpty)
        }
    }

    @Test("S2: a page that was fetched before a deletion does not revive the record")
    func anOldPageDoesNotReviveARecord() async throws {
        let world = try await ScenarioWorld()
        let replica = try await world.syncedReplica()
        try await replica.put(["id": "a"])
        try await replica.sync()
        try await world.serverPatch("a", ["x": 1])
        try await replica.handle(.trigger(.poke()))
        let pull = try replica.take(.changes)
        let page = await replica.arrive(pull)
        try await replica.delete("a")
        try await replica.advance(to: .push)
        try await replica.resolve(.push)
        try await replica.answer(pull, page)
        try await replica.sync()
        #expect(try replica.get("a") == world.record("a"))
        #expect(try replica.status.isSynced)
    }

    @Test("S9: a record deleted and put again before sync is alive everywhere")
    func aRecordPutAgainIsAliveEverywhere() async throws {
        let world = try await ScenarioWorld()
        try await world.serverPut(["id": "a", "x": 1, "old": true])
        let (replica, other) = (
            try await world.syncedReplica(), try await world.syncedReplica()
        )
        try await replica.delete("a")
        try await replica.put(["id": "a", "x": 2])
        #expect(try replica.status.pending == 1)
        try await replica.sync()
        try await other.sync()
        for object in [try replica.get("a"), try other.get("a"), try world.record("a")] {
            #expect(object == ["id": "a", "x": 2])
        }
        // Also where the deletion had been sent already.
        try await other.delete("a")
        try await other.advance(to: .push)
        try await other.put(["id": "a", "x": 3])
        try await other.sync()
        try await replica.sync()
        for object in [try replica.get("a"), try other.get("a"), try world.record("a")] {
            #expect(object == ["id": "a", "x": 3])
        }
    }

    @Test("S19: a record that was created and deleted before the first sync is never sent")
    func whatWasDeletedBeforeSyncIsNeverSent() async throws {
        let world = try await ScenarioWorld()
        let replica = try await world.replica()
        try await replica.put(["id": "a"])
        try await replica.put(["id": "a", "x": 1])
        try await replica.delete("a")
        #expect(try replica.status.pending == 0)
        try await replica.sync()
        #expect(replica.pushes.isEmpty)
        #expect(try replica.status.isSynced)
    }

    @Test("S28: a value that the server corrects is shown as written, then as corrected, once each")
    func aCorrectedValueIsShownOnce() async throws {
        var configuration = SyncServerConfiguration()
        configuration.validate = { _, object, _ in
            if case .string(let name)? = object["name"] {
                object["name"] = .string(name.uppercased())
                object["checked"] = true
            }
            return nil
        }
        let world = try await ScenarioWorld(configuration)
        let replica = try await world.syncedReplica()
        let before = try replica.store.sequenceNumber
        try await replica.put(["id": "a", "name": "ada"])
        try await replica.sync()
        let states = try replica.store.commits(after: before, limit: .max)
            .flatMap(\.changes).filter { $0.table == "notes" }.map(\.record)
        let local: JSONObject = ["id": "a", "name": "ada"]
        let corrected: JSONObject = ["id": "a", "name": "ADA", "checked": true]
        #expect(states == [local, corrected])
        #expect(try replica.get("a") == corrected)
    }

    @Test("S34: a change is synced only when a pull has confirmed it")
    func syncedMeansConfirmed() async throws {
        let world = try await ScenarioWorld()
        let replica = try await world.syncedReplica()
        #expect(try replica.status.isSynced)
        try await replica.put(["id": "a"])
        #expect(try !replica.status.isSynced && replica.status.pending == 1)
        try await replica.advance(to: .push)
        #expect(try replica.status(of: "a") == .sending)
        try await replica.resolve(.push)
        #expect(try replica.status(of: "a") == .acknowledged)
        #expect(try !replica.status.isSynced && replica.status.unconfirmed == 1)
        try await replica.advance(to: .changes)
        try await replica.resolve(.changes)
        #expect(try replica.status(of: "a") == .confirmed)
        #expect(try replica.status.isSynced)
    }

    @Test("S36: a change lands within a few rounds although others write all the time")
    func aChangeLandsAmongOthers() async throws {
        let world = try await ScenarioWorld()
        try await world.serverPut(["id": "a", "best": 0])
        let replica = try await world.syncedReplica()
        try await replica.put(["id": "a", "best": 100])
        var rounds: Int64 = 0
        while try replica.status.pending > 0, rounds < 20 {
            rounds += 1
            try await replica.advance(to: .push)
            try await world.serverPatch("a", ["best": .integer(rounds)])
            try await replica.resolve(.push)
        }
        #expect(rounds <= 5)
        #expect(try world.record("a")?["best"] == 100)
    }

    @Test("S40: a record saved three times while offline, the first answer lost, is one record")
    func aRecordSavedThriceIsOne() async throws {
        let world = try await ScenarioWorld()
        let replica = try await world.syncedReplica()
        let id = replica.environment.ids.next()
        for text in ["one", "two", "three"] {
            try await replica.put(["id": .string(id.text), "text": .string(text)])
            if text == "one" {
                try await replica.advance(to: .push)
                try await replica.resolve(.push, .answerLost)
            }
        }
        try await replica.sync()
        #expect(try world.records() == [["id": .string(id.text), "text": "three"]])
        #expect(try replica.records() == world.records())
    }

    private func archivingWorld() async throws -> (ScenarioWorld, Replica) {
        var configuration = SyncServerConfiguration()
        configuration.actions["archive"] = { call, transaction in
            try transaction.patch(call.record.id, in: call.record.table, with: ["done": true])
            try transaction.put(["n": 1], of: "log", in: "notes")
        }
        let world = try await ScenarioWorld(configuration)
        try await world.serverPut(["id": "a", "x": 0])
        return (world, try await world.syncedReplica())
    }

    private func archiveAndDelete(
        _ replica: Replica,
        isGuessed: Bool = false,
        isGroup: Bool = false
    ) async throws {
        try await replica.write(atomicOnServer: isGroup) { transaction in
            try transaction.perform("archive", of: "a", in: "notes") { object in
                if isGuessed { object["done"] = true }
            }
            try transaction.delete("a", in: "notes")
        }
        #expect(try replica.get("a") == nil)
    }

    @Test(
        "I8: an action and a deletion of its record in one transaction both happen",
        arguments: [false, true],
        [false, true]
    ) func anActionAndADeletionBothHappen(isGuessed: Bool, isGroup: Bool) async throws {
        let (world, replica) = try await archivingWorld()
        try await archiveAndDelete(replica, isGuessed: isGuessed, isGroup: isGroup)
        try await replica.sync()
        #expect(try world.record("log") != nil)
        #expect(try world.record("a") == nil)
        #expect(try replica.records() == world.records())
        #expect(try world.ledger.isEmpty)
        #expect(try replica.status.isSynced)
    }

    @Test("I8: a deletion behind an action whose answer was lost still happens")
    func aDeletionBehindALostAnswerHappens() async throws {
        let (world, replica) = try await archivingWorld()
        try await archiveAndDelete(replica)
        try await replica.hold(.push)
        try await replica.resolve(.push, .answerLost)
        try await replica.hold(.changes)
        try await replica.resolve(.changes)
        try await replica.sync()
        #expect(try world.record("a") == nil && world.record("log") != nil)
        #expect(try replica.records() == world.records())
        #expect(try world.ledger.isEmpty && replica.status.isSynced)
    }

    @Test("An edit that somebody else made before an action wins over the deletion behind it")
    func anotherOnesEditBeforeAnActionWins() async throws {
        let (world, replica) = try await archivingWorld()
        try await world.serverPatch("a", ["x": 5])
        try await archiveAndDelete(replica)
        try await replica.hold(.push)
        try await replica.resolve(.push)
        try await replica.sync()
        #expect(try world.record("a") == ["id": "a", "x": 5, "done": true])
        #expect(try replica.records().count == world.records().count)
        #expect(try replica.get("a") == world.record("a"))
        #expect(try replica.status.isSynced)
    }
}
