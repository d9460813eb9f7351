import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastTesting
import Synchronization
import Testing

/// Scenarios of sync.md: snapshots, floors, and servers that lost something.
@Suite(.timeLimit(.minutes(20))) struct ResyncScenarioTests {
    @Test("S15: after the tombstone floor, deleted records go and edited ones surface")
    func deletionsBelowTheFloorArrive() async throws {
        let world = try await ScenarioWorld()
        for id in ["deleted", "edited", "asked", "kept"] {
            try await world.serverPut(["id": .string(id), "asked": 0, "x": 0])
        }
        let replica = try await world.syncedReplica()
        for id in ["deleted", "edited", "asked"] as [RecordID] {
            try await world.serverDelete(id)
        }
        try await world.server.purgeTombstones()
        try await replica.put(["id": "edited", "asked": 0, "x": 1])
        try await replica.put(["id": "asked", "asked": 1, "x": 0])
        try await replica.sync()
        #expect(replica.count(.snapshot) == 1)
        #expect(try replica.get("deleted") == nil && world.record("deleted") == nil)
        #expect(try replica.get("kept") != nil)
        // An edit wins over a deletion: the record is put again, whole, and everybody is told.
        #expect(try world.record("edited") == ["id": "edited", "asked": 0, "x": 1])
        #expect(try world.record("asked") == ["id": "asked", "asked": 1, "x": 0])
        let told = try world.ledger
        #expect(told.map(\.record.id).sorted() == ["asked", "edited"])
        #expect(told.allSatisfy { $0.rule == "editWins" })
        #expect(try replica.status.isSynced)
    }

    @Test("S16: a resync loses no pending change")
    func aResyncKeepsPendingChanges() async throws {
        let world = try await ScenarioWorld()
        for number in 0..<6 {
            try await world.serverPut(["id": .string("\(number)"), "x": 0, "votes": 0])
        }
        let replica = try await world.replica { $0.pageLimit = 2 }
        try await replica.sync()
        try await world.serverDelete("5")
        try await world.server.purgeTombstones()
        try await world.serverPatch("1", ["y": 1])
        try await replica.write { transaction in
            try transaction.put(["id": "new"], in: "notes")
            try transaction.patch("1", in: "notes", with: ["x": 1])
            try transaction.delete("2", in: "notes")
            try transaction.increment("votes", of: "3", in: "notes", by: 3)
        }
        // The app is killed after each page of the snapshot.
        try await replica.handle(.trigger(.poke()))
        for _ in 0..<3 {
            try await replica.advance(to: .snapshot)
            try await replica.resolve(.snapshot)
            try await replica.restart()
        }
        try await replica.sync()
        #expect(try world.record("new") == ["id": "new"])
        #expect(try world.record("1") == ["id": "1", "x": 1, "votes": 0, "y": 1])
        #expect(try world.record("2") == nil)
        #expect(try world.record("3") == ["id": "3", "x": 0, "votes": 3])
        #expect(try replica.records() == world.records())
        #expect(try replica.status.isSynced)
    }

    @Test(
        "S17: an empty or partial snapshot stops the scope until the removals are confirmed",
        arguments: [AnswerDistortion.emptySnapshot, .missingParts]
    ) func aSuspiciousSnapshotStops(_ distortion: AnswerDistortion) async throws {
        let world = try await ScenarioWorld()
        try await world.server.write { transaction in
            for number in 0..<150 {
                try transaction.put([:], of: RecordID(Int64(number)), in: "notes")
            }
        }
        let replica = try await world.syncedReplica()
        try await world.serverDelete("0")
        try await world.server.purgeTombstones()
        world.server.fail(with: .garbled(distortion), of: [.snapshot], times: nil)
        try await replica.put(["id": "mine"])
        try await replica.run(for: .seconds(600))
        guard case .massDelete(let removals)? = try replica.status.pause else {
            Issue.record("it does not stop")
            return
        }
        #expect(removals.count >= 75)
        #expect(try replica.records().count >= 150)
        #expect(try !replica.status.isSynced)
        // What is made here is sent meanwhile.
        #expect(try world.record("mine") != nil)
        // The question outlives the app.
        try await replica.restart()
        try await replica.run(for: .seconds(10))
        #expect(try replica.status.pause == .massDelete(removals))
        try await replica.machine.accept(removals: removals.set)
        try await replica.run(for: .seconds(120))
        #expect(try replica.status.pause == nil)
        #expect(try replica.records().count <= 77)
    }

    @Test("S17: many live deletions in a row stop the scope, and go on once they are confirmed")
    func manyDeletionsStop() async throws {
        let world = try await ScenarioWorld()
        try await world.server.write { transaction in
            for number in 0..<200 {
                try transaction.put([:], of: RecordID(Int64(number)), in: "notes")
            }
        }
        let replica = try await world.replica { $0.pageLimit = 20 }
        try await replica.sync()
        try await world.server.write { transaction in
            for number in 0..<190 { try transaction.delete(RecordID(Int64(number)), in: "notes") }
        }
        try await replica.sync()
        guard case .massDelete(let removals)? = try replica.status.pause else {
            Issue.record("it does not stop")
            return
        }
        #expect(try replica.records().count >= 140)
        try await replica.machine.accept(removals: removals.set)
        try await replica.sync()
        #expect(try replica.records() == world.records())
        #expect(try replica.status.isSynced)
    }

    @Test("S17: another dataset halts sync and asks; accepting it sends everything there")
    func anotherDatasetHalts() async throws {
        let world = try await ScenarioWorld()
        try await world.serverPut(["id": "a"])
        let replica = try await world.syncedReplica()
        try await replica.put(["id": "b"])
        world.server.fail(with: .garbled(.otherDataset), times: nil)
        try await replica.run(for: .seconds(10))
        guard case .dataset(let stranger)? = try replica.status.pause else {
            Issue.record("it does not halt")
            return
        }
        #expect(try replica.status.pending <= 1 && !replica.status.isSynced)
        let count = replica.sent.count
        try await replica.run(for: .seconds(7_200))
        #expect(replica.sent.count == count)
        // A trigger is no answer to the question.
        try await replica.handle(.trigger(.foreground))
        try await replica.run(for: .seconds(60))
        #expect(try replica.status.pause == .dataset(stranger))
        #expect(replica.sent.count <= count + 1)
        #expect(try replica.records().count == 2)
        try await replica.machine.accept(dataset: stranger)
        #expect(try replica.status.pending == 2)
    }

    @Test("S15: what was pulled beside an unknown outcome, and forgotten since, is gone")
    func aPulledStateThatIsGoneIsNotTakenForTheServers() async throws {
        let world = try await ScenarioWorld()
        for id in ["a", "b", "c"] { try await world.serverPut(["id": .string(id), "x": 0]) }
        let replica = try await world.syncedReplica()
        try await replica.put(["id": "a", "x": 1])
        world.server.fail(with: .status(503), of: [.push], times: nil)
        try await replica.run(for: .seconds(120))
        try await world.serverPut(["id": "a", "x": 1])
        try await replica.run(for: .seconds(300))
        try await world.serverDelete("a")
        try await world.server.purgeTombstones()
        try await replica.run(for: .seconds(300))
        world.server.removeFaults()
        try await replica.sync()
        #expect(replica.count(.snapshot) > 0)
        #expect(try replica.records() == world.records())
        #expect(try replica.status.isSynced)
    }

    @Test("S17: when the right dataset answers again, whoever asks for a sync gets one")
    func theRightDatasetIsFollowedAgain() async throws {
        let world = try await ScenarioWorld()
        let replica = try await world.syncedReplica()
        try await replica.put(["id": "b"])
        world.server.fail(with: .garbled(.otherDataset))
        try await replica.run(for: .seconds(10))
        guard case .dataset? = try replica.status.pause else {
            Issue.record("it does not halt")
            return
        }
        try await replica.handle(.trigger(.manual))
        try await replica.run(for: .seconds(10))
        #expect(try world.record("b") == ["id": "b"])
        #expect(try replica.status.isSynced)
    }

    @Test("S21: what was adopted and deleted since does not come back with another dataset")
    func anotherDatasetForgetsNoAdoption() async throws {
        let world = try await ScenarioWorld()
        let anonymous = try await Store(storage: MemoryStorage(), schema: world.schema)
        try await anonymous.write { transaction in
            for id in ["a", "b"] { try transaction.put(["id": .string(id)], in: "notes") }
        }
        let replica = try await world.syncedReplica()
        #expect(try await replica.store.adopt(recordsOf: anonymous) == 2)
        try await replica.delete("a")
        try await replica.sync()
        world.server.fail(with: .garbled(.otherDataset), times: nil)
        try await replica.run(for: .seconds(120))
        guard case .dataset(let stranger)? = try replica.status.pause else {
            Issue.record("it does not halt")
            return
        }
        try await replica.machine.accept(dataset: stranger)
        #expect(try await replica.store.adopt(recordsOf: anonymous) == 0)
        #expect(try replica.records() == [["id": "b"]])
    }

    @Test("S41: a server restored from a backup gets back what only the devices have")
    func aRestoredServerIsMadeWhole() async throws {
        let world = try await ScenarioWorld()
        try await world.serverPut(["id": "a", "x": 0, "votes": 5])
        try await world.serverPut(["id": "gone"])
        let (first, second) = (
            try await world.syncedReplica(), try await world.syncedReplica()
        )
        let backup = try world.server.backup()
        try await first.write { transaction in
            try transaction.patch("a", in: "notes", with: ["x": 1])
            try transaction.put(["id": "new"], in: "notes")
        }
        try await first.sync()
        try await first.write { try $0.increment("votes", of: "a", in: "notes", by: 2) }
        try await first.sync()
        try await second.sync()
        try await second.delete("gone")
        try await second.sync()
        try await world.server.restore(backup)
        // Something is written on the restored server before the devices come back.
        try await world.serverPut(["id": "later"])
        for _ in 0..<3 {
            try await first.sync()
            try await second.sync()
        }
        #expect(try world.record("a") == ["id": "a", "x": 1, "votes": 7])
        #expect(try world.record("new") != nil && world.record("later") != nil)
        #expect(try first.records() == world.records())
        #expect(try second.records() == world.records())
        #expect(try first.status.isSynced && second.status.isSynced)
    }

    @Test(
        "S41: of several restores that a device missed, none loses what it alone has",
        arguments: [false, true]
    ) func everyMissedRestoreIsMadeWhole(isFromTheOldBackup: Bool) async throws {
        let seconds = Mutex<Int64>(1_767_225_600)
        var configuration = SyncServerConfiguration()
        configuration.clock = {
            seconds.withLock { now in
                now += 1
                return now * 1_000
            }
        }
        let world = try await ScenarioWorld(configuration)
        try await world.serverPut(["id": "a", "x": 0])
        try await world.serverPut(["id": "deleted"])
        let replica = try await world.syncedReplica()
        let old = try world.server.backup()
        try await replica.write { transaction in
            try transaction.patch("a", in: "notes", with: ["x": 1])
            try transaction.put(["id": "new"], in: "notes")
        }
        try await replica.sync()
        try await world.server.restore(old)
        try await world.serverPut(["id": "between"])
        try await world.serverDelete("deleted")
        let newer = try world.server.backup()
        try await world.serverPut(["id": "lost"])
        try await world.server.restore(isFromTheOldBackup ? old : newer)
        try await world.serverPut(["id": "later"])
        for _ in 0..<3 { try await replica.sync() }
        #expect(try world.record("new") != nil && world.record("later") != nil)
        #expect(try world.record("a") == ["id": "a", "x": 1])
        #expect(try (world.record("deleted") != nil) == isFromTheOldBackup)
        #expect(try replica.records() == world.records())
        #expect(try replica.status.isSynced)
        // One that comes in the middle of comparing changes nothing of that.
        try await replica.put(["id": "last"])
        try await replica.sync()
        try await world.server.restore(newer)
        try await replica.handle(.trigger(.poke()))
        try await replica.advance(to: .snapshot)
        try await world.server.restore(try world.server.backup())
        for _ in 0..<3 { try await replica.sync() }
        #expect(try world.record("last") != nil && world.record("new") != nil)
        #expect(try replica.records() == world.records())
        #expect(try replica.status.isSynced)
    }

    @Test("S41: a phone restored from a backup counts nothing twice and loses nothing")
    func aRestoredPhoneCountsNothingTwice() async throws {
        let world = try await ScenarioWorld()
        try await world.serverPut(["id": "a", "x": 0, "votes": 0])
        let disk = SimulatedDisk()
        let phone = try await world.replica(on: try await disk.openJournal("store"))
        try await phone.sync()
        // A step of the counter waits when the backup is made.
        try await phone.write { transaction in
            try transaction.increment("votes", of: "a", in: "notes", by: 1)
            try transaction.patch("a", in: "notes", with: ["x": 1])
        }
        try await phone.advance(to: .push)
        try await phone.store.backup(to: "backup", linking: false)
        try await phone.sync()
        // The phone goes on, and the server forgets the keys that it acknowledged.
        try await phone.write { try $0.increment("votes", of: "a", in: "notes", by: 10) }
        try await phone.put(["id": "b"])
        try await phone.sync()
        #expect(try world.record("a")?["votes"] == 11)
        try await phone.store.close()
        try await phone.reopen(
            on: try await disk.openJournal("backup"),
            schema: world.schema
        )
        try await phone.sync()
        #expect(try world.record("a")?["votes"] == 11)
        #expect(try phone.get("b") != nil)
        // Whether the waiting step had its effect is asked where it cannot be known.
        for mutation in try phone.mutations where mutation.needsAttention {
            let commands = phone.machine.commands
            try await phone.store.writeUnrecorded {
                _ = try commands.discard(mutation.key, in: &$0)
            }
        }
        try await phone.sync()
        #expect(try phone.records() == world.records())
        // It has a name of its own now, and goes on counting.
        try await phone.write { try $0.increment("votes", of: "a", in: "notes", by: 100) }
        try await phone.sync()
        #expect(try world.record("a")?["votes"] == 111)
        #expect(try phone.status.isSynced)
        try await phone.store.close()
    }

    @Test("S41: a step that was sent again under another key after a backup counts once")
    func aStepThatWasSentAgainIsNotCountedTwice() async throws {
        let world = try await ScenarioWorld()
        try await world.serverPut(["id": "a", "votes": 0])
        try await world.serverPut(["id": "b", "x": 0])
        let disk = SimulatedDisk()
        let phone = try await world.replica(on: try await disk.openJournal("store"))
        try await phone.sync()
        try await phone.write(atomicOnServer: true) { transaction in
            try transaction.increment("votes", of: "a", in: "notes", by: 1)
            _ = try transaction.delete("b", in: "notes")
        }
        // The deletion meets an edit, so that the step goes alone, under another key.
        try await world.serverPatch("b", ["x": 1])
        try await phone.advance(to: .push)
        try await phone.store.backup(to: "backup", linking: false)
        try await phone.sync()
        #expect(try world.record("a")?["votes"] == 1)
        try await phone.store.close()
        try await phone.reopen(on: try await disk.openJournal("backup"), schema: world.schema)
        try await phone.sync()
        #expect(try world.record("a")?["votes"] == 1)
        #expect(try phone.mutations.contains(where: \.mayCountTwice), "somebody has to say")
        try await phone.store.close()
    }

    @Test func whatALostHistoryHadSaidOfADeletedRecordKeepsNothingFromBeingSent() async throws {
        let world = try await ScenarioWorld()
        try await world.serverPut(["id": "a", "x": 0])
        try await world.serverDelete("a")
        let backup = try world.server.backup()
        try await world.serverPut(["id": "b", "x": 0])
        let replica = try await world.syncedReplica()
        try await world.serverPut(["id": "a", "x": 1])
        // A creation whose answer is lost meets the record that somebody made meanwhile.
        try await replica.put(["id": "a", "x": 2])
        try await replica.advance(to: .push)
        let push = try replica.take(.push)
        try await replica.handle(.trigger(.poke()))
        try await replica.advance(to: .changes)
        try await replica.resolve(.changes)
        try await world.server.restore(backup)
        try await replica.answer(push, .failure(TransportFailure(.timedOut)))
        let count = replica.sent.count
        try await replica.run(for: .seconds(600))
        #expect(try world.record("a") == ["id": "a", "x": 2])
        #expect(try replica.get("a") == world.record("a") && replica.status.isSynced)
        #expect(replica.sent.count - count < 60)
    }

    /// The record was purged, and lives again with the server's backup.
    @Test func aRecordThatALostHistoryHadForgottenIsThereAgain() async throws {
        let world = try await ScenarioWorld()
        try await world.serverPut(["id": "a", "x": 0])
        try await world.serverPut(["id": "b", "x": 0])
        let replica = try await world.syncedReplica()
        let backup = try world.server.backup()
        // A deletion whose outcome stays unknown meets that of somebody else, by a snapshot.
        try await replica.delete("a")
        try await replica.advance(to: .push)
        let push = try replica.take(.push)
        try await world.serverDelete("a")
        try await world.server.purgeTombstones()
        try await replica.handle(.trigger(.poke()))
        try await replica.run(for: .seconds(20))
        #expect(replica.count(.snapshot) > 0)
        try await world.server.restore(backup)
        replica.interception = { request in
            guard case .push = request else { return nil }
            return .failure(TransportFailure(.refused(status: 413)))
        }
        try await replica.answer(push, .failure(TransportFailure(.timedOut)))
        try await replica.run(for: .seconds(600))
        let waiting = try #require(try replica.mutations.first)
        guard case .attention = waiting.state else {
            Issue.record("the deletion does not need attention: \(waiting.state)")
            return
        }
        replica.interception = { _ in nil }
        let commands = replica.machine.commands
        try await replica.store.writeUnrecorded { _ = try commands.retry(waiting.key, in: &$0) }
        try await replica.handle(.trigger(.localWrite))
        try await replica.sync()
        #expect(try replica.get("a") == nil && world.record("a") == nil)
        #expect(try replica.records() == world.records() && replica.status.isSynced)
    }
}
