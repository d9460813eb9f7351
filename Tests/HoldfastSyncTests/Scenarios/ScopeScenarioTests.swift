import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastTesting
import Synchronization
import Testing

/// S32 of sync.md: what a principal sees changes.
@Suite(.timeLimit(.minutes(20))) struct ScopeScenarioTests {
    /// Records are in the scope that their field "team" names; who sees which is the test's to say.
    final class Teams: Sendable {
        private let visible = Mutex<Set<String>>(["red", "blue"])

        var configuration: SyncServerConfiguration {
            var configuration = SyncServerConfiguration()
            configuration.scope = { _, object, _ in
                if case .string(let team)? = object["team"] { return ScopeName(team) }
                return ScopeName("red")
            }
            configuration.scopes = { principal in
                if principal.id != "user" { return ["red", "blue", "green"].map { ScopeName($0) } }
                return self.visible.withLock { $0.sorted() }.map { ScopeName($0) }
            }
            return configuration
        }

        func show(_ teams: Set<String>) { visible.withLock { $0 = teams } }
    }

    private func note(_ id: String, _ team: String, _ x: Int64 = 0) -> JSONObject {
        ["id": .string(id), "team": .string(team), "x": .integer(x)]
    }

    @Test("S32: access that is granted to old records delivers them")
    func grantedRecordsArrive() async throws {
        let teams = Teams()
        let world = try await ScenarioWorld(teams.configuration)
        try await world.serverPut(note("old", "green"))
        let replica = try await world.syncedReplica()
        #expect(try replica.records().isEmpty)
        teams.show(["red", "blue", "green"])
        try await replica.sync()
        #expect(try replica.get("old") == note("old", "green"))
        #expect(try replica.status.isSynced)
    }

    @Test("S32: access that is revoked removes clean records, and seals and shows pending ones")
    func revokedRecordsGo() async throws {
        let teams = Teams()
        let world = try await ScenarioWorld(teams.configuration)
        for id in ["clean", "edited"] { try await world.serverPut(note(id, "blue")) }
        try await world.serverPut(note("other", "red"))
        let replica = try await world.syncedReplica()
        teams.show(["red"])
        try await replica.put(note("edited", "blue", 1))
        try await replica.put(note("other", "red", 1))
        try await replica.run(for: .seconds(300))
        #expect(try replica.get("clean") == nil)
        #expect(try replica.get("edited") == note("edited", "blue", 1))
        guard case .needsAttention = try replica.status(of: "edited") else {
            Issue.record("the pending change is not shown")
            return
        }
        #expect(try world.record("edited") == note("edited", "blue"))
        // Other scopes go on.
        #expect(try world.record("other") == note("other", "red", 1))
        // The clean records come back with the access.
        teams.show(["red", "blue"])
        try await replica.sync()
        #expect(try replica.get("clean") == note("clean", "blue"))
    }

    @Test("S32: what is pending of a record that moved while its scope was read anew is kept")
    func aMovedRecordIsNotTakenForDeletedByASnapshot() async throws {
        let teams = Teams()
        let world = try await ScenarioWorld(teams.configuration)
        for id in ["moved", "clean", "deleted", "other"] {
            try await world.serverPut(note(id, "blue"))
        }
        let replica = try await world.syncedReplica()
        try await replica.write { try $0.increment("votes", of: "moved", in: "notes") }
        try await world.serverPut(note("moved", "red"))
        try await world.serverPut(note("clean", "red"))
        try await world.serverDelete("deleted")
        // Now the server can tell of none of it but by a snapshot.
        try await world.server.purgeTombstones()
        try await replica.sync()
        #expect(replica.count(.snapshot) > 0)
        #expect(try world.record("moved")?["votes"] == 1)
        #expect(try replica.records() == world.records())
        #expect(try replica.get("clean") == note("clean", "red"))
        #expect(try replica.get("deleted") == nil)
        #expect(try world.records(in: LedgerEntry.table).isEmpty)
        #expect(try replica.status.isSynced)
    }

    @Test("S32: a new record that left the account's scopes before its answer came goes as a whole")
    func aNewRecordThatMovedOnIsNotForgottenHalf() async throws {
        let teams = Teams()
        let world = try await ScenarioWorld(teams.configuration)
        let replica = try await world.syncedReplica()
        try await replica.put(note("new", "blue"))
        try await replica.hold(.push)
        try await replica.resolve(.push, .answerLost)
        try await world.serverPut(note("new", "green"))
        try await replica.sync()
        #expect(try replica.get("new") == nil)
        let state = try replica.store.read {
            try $0.syncRecord(RecordReference("notes", "new"))
        }
        #expect(state == nil)
        #expect(try replica.status.isSynced)
    }

    @Test("S15: an edit of a record that was deleted and forgotten in one of several scopes wins")
    func anEditOfASweptRecordMeetsItsDeletion() async throws {
        let teams = Teams()
        let world = try await ScenarioWorld(teams.configuration)
        try await world.serverPut(note("edited", "blue"))
        let replica = try await world.syncedReplica()
        try await replica.put(note("edited", "blue", 1))
        try await world.serverDelete("edited")
        try await world.server.purgeTombstones()
        try await replica.sync()
        #expect(try world.record("edited") == note("edited", "blue", 1))
        #expect(try replica.records() == world.records())
        #expect(try replica.status.isSynced)
    }

    private func discardAll(_ replica: Replica) async throws {
        let commands = replica.machine.commands
        for mutation in try replica.mutations {
            try await replica.store.writeUnrecorded {
                _ = try commands.discard(mutation.key, in: &$0)
            }
        }
        try await replica.handle(.trigger(.localWrite))
    }

    @Test(
        "S32: a sealed change takes its record along when it is discarded",
        arguments: [false, true]
    ) func aDiscardedSealedChangeLeavesNothingBehind(_ isMoved: Bool) async throws {
        let teams = Teams()
        let world = try await ScenarioWorld(teams.configuration)
        try await world.serverPut(note("edited", "blue"))
        let replica = try await world.syncedReplica()
        try await replica.write { transaction in
            try transaction.put(self.note("edited", "blue", 1), in: "notes")
            try transaction.increment("votes", of: "edited", in: "notes")
        }
        try await replica.hold(.push)
        try await replica.resolve(.push, .requestLost)
        if isMoved {
            try await world.serverPut(note("edited", "green"))
        } else {
            teams.show(["red"])
        }
        try await replica.run(for: .seconds(900))
        #expect(try replica.get("edited") != nil)
        try await discardAll(replica)
        #expect(try replica.get("edited") == nil)
        #expect(
            try replica.store.read { try $0.syncRecord(RecordReference("notes", "edited")) } == nil
        )
        try await replica.sync()
        #expect(try replica.records().isEmpty && replica.status.isSynced)
    }

    /// A sealed change that only tells what was discarded, of a record that was deleted and purged while
    /// it was not seen: no page tells of that, and the answer does.
    @Test(
        "S32: a record that is purged unseen goes with the answer to what waited of it",
        arguments: [false, true]
    ) func aRecordThatIsPurgedUnseenGoes(_ isAnswerLost: Bool) async throws {
        let teams = Teams()
        let world = try await ScenarioWorld(teams.configuration)
        try await world.serverPut(note("edited", "blue"))
        let replica = try await world.syncedReplica()
        // Nothing is pushed for a while.
        replica.interception = { request in
            guard case .push = request else { return nil }
            return .failure(TransportFailure(.refused(status: 503), retryAfter: .seconds(60)))
        }
        try await replica.put(note("other", "red"))
        try await replica.advance(to: .push)
        try await replica.resolve(.push)
        replica.interception = { _ in nil }
        // The deletion meets an edit and gives way to it, which the ledger is to be told.
        try await world.serverPut(note("edited", "blue", 1))
        try await replica.delete("edited")
        try await replica.handle(.trigger(.poke([ScopeName("blue")])))
        try await replica.advance(to: .changes)
        try await replica.resolve(.changes)
        try await replica.restart()
        teams.show(["red"])
        try await replica.run(for: .seconds(900))
        #expect(try replica.get("edited") == note("edited", "blue", 1))
        try await world.serverDelete("edited")
        try await world.server.purgeTombstones()
        teams.show(["red", "blue"])
        try await replica.sync()
        let commands = replica.machine.commands
        for mutation in try replica.mutations {
            try await replica.store.writeUnrecorded {
                try commands.retry(mutation.key, in: &$0)
            }
        }
        try await replica.handle(.trigger(.localWrite))
        try await replica.hold(.push)
        try await replica.resolve(.push, isAnswerLost ? .answerLost : .answered)
        try await replica.run(for: .seconds(300))
        #expect(try replica.get("edited") == nil && world.record("edited") == nil)
        #expect(try world.records(in: LedgerEntry.table).count == 1)
        #expect(try replica.status.isSynced)
    }

    @Test("S32: a sealed change that is discarded when the access is back leaves the record")
    func aDiscardedChangeLeavesARecordThatIsSeenAgain() async throws {
        let teams = Teams()
        let world = try await ScenarioWorld(teams.configuration)
        try await world.serverPut(note("edited", "blue"))
        let replica = try await world.syncedReplica()
        teams.show(["red"])
        try await replica.sync()
        #expect(try replica.get("edited") == nil)
        teams.show(["red", "blue"])
        try await replica.sync()
        try await replica.advance(to: .changes)
        try await replica.write { try $0.put(self.note("edited", "blue", 1), in: "notes") }
        teams.show(["red"])
        try await replica.run(for: .seconds(300))
        #expect(try replica.get("edited") == note("edited", "blue", 1))
        teams.show(["red", "blue"])
        try await replica.sync()
        try await discardAll(replica)
        #expect(try replica.get("edited") == note("edited", "blue"))
        try await replica.sync()
        #expect(try replica.get("edited") == note("edited", "blue") && replica.status.isSynced)
    }

    @Test("Many records that move to scopes which are not seen go without a question")
    func manyDeparturesAreNoMassDelete() async throws {
        let teams = Teams()
        let world = try await ScenarioWorld(teams.configuration)
        for number in 0..<120 { try await world.serverPut(note("\(number)", "red")) }
        let replica = try await world.syncedReplica()
        for number in 0..<120 { try await world.serverPut(note("\(number)", "green")) }
        try await replica.sync()
        try await replica.sync()
        #expect(try replica.status.pause == nil)
        #expect(try replica.records().isEmpty)
        #expect(try world.records().count == 120)
    }

    @Test("Windows: a scope that the app leaves keeps what waits until it is sent")
    func aLeftScopeSendsWhatWaits() async throws {
        let teams = Teams()
        let world = try await ScenarioWorld(teams.configuration)
        for id in ["clean", "edited"] { try await world.serverPut(note(id, "blue")) }
        try await world.serverPut(note("other", "red"))
        let storage = MemoryStorage()
        let before = try await world.replica(on: storage)
        try await before.sync()
        try await before.store.write { transaction in
            try transaction.put(self.note("edited", "blue", 1), in: "notes")
        }
        let replica = try await world.replica(on: storage) { $0.scopes = [ScopeName("red")] }
        try await replica.advance(to: .push)
        #expect(try replica.get("clean") == nil)
        #expect(try replica.get("edited") == note("edited", "blue", 1))
        // Whoever else has written it meanwhile is met as ever.
        try await world.serverPatch("edited", ["y": 1])
        try await replica.sync()
        try await replica.sync()
        #expect(try world.record("edited") == ["id": "edited", "team": "blue", "x": 1, "y": 1])
        #expect(try world.record("clean") != nil)
        #expect(try replica.records() == [note("other", "red")])
        #expect(try replica.status.isSynced)
        #expect(try replica.store.read { try $0.scopeStates().keys.map(\.text) } == ["red"])
        // And all of it comes back when the app looks there again.
        let after = try await world.replica(on: storage)
        try await after.sync()
        #expect(try after.records() == world.records())
    }

    @Test("S32: a record that moves between scopes is kept, in either order of their pages")
    func aMovedRecordIsKept() async throws {
        let teams = Teams()
        let world = try await ScenarioWorld(teams.configuration)
        try await world.serverPut(note("a", "red"))
        try await world.serverPut(note("b", "blue"))
        let replica = try await world.syncedReplica()
        try await world.serverPut(note("a", "blue", 1))
        try await world.serverPut(note("b", "red", 1))
        try await replica.sync()
        #expect(try replica.get("a") == note("a", "blue", 1))
        #expect(try replica.get("b") == note("b", "red", 1))
        // One that moves where nobody here sees it goes.
        try await world.serverPut(note("a", "green", 2))
        try await replica.sync()
        #expect(try replica.get("a") == nil)
        #expect(try replica.status.isSynced)
    }

    @Test("S32: an edit of a record that moved meanwhile arrives in its new scope")
    func anEditFollowsAMovedRecord() async throws {
        let teams = Teams()
        let world = try await ScenarioWorld(teams.configuration)
        try await world.serverPut(note("a", "red"))
        let replica = try await world.syncedReplica()
        try await replica.write { try $0.patch("a", in: "notes", with: ["x": 5]) }
        try await world.serverPatch("a", ["team": "blue"])
        try await replica.sync()
        #expect(try world.record("a") == note("a", "blue", 5))
        #expect(try replica.get("a") == note("a", "blue", 5))
        #expect(try replica.status.isSynced)
    }

    @Test("S32, S41: what waited in a scope that was not seen is compared with a restored server")
    func whatWaitedUnseenIsCompared() async throws {
        let teams = Teams()
        let world = try await ScenarioWorld(teams.configuration)
        let backup = try world.server.backup()
        let replica = try await world.syncedReplica()
        try await replica.put(note("mine", "blue"))
        try await replica.put(note("edited", "blue"))
        try await replica.advance(to: .push)
        // The answers are lost, and the scope with them.
        try await replica.resolve(.push, .answerLost)
        teams.show(["red"])
        try await replica.put(note("edited", "blue", 1))
        try await replica.run(for: .seconds(300))
        try await world.server.restore(backup)
        try await replica.run(for: .seconds(300))
        teams.show(["red", "blue"])
        try await replica.sync()
        try await replica.run(for: .seconds(300))
        for mutation in try replica.mutations {
            if case .attention = mutation.state {
                let commands = replica.machine.commands
                try await replica.store.writeUnrecorded {
                    try commands.retry(mutation.key, in: &$0)
                }
            }
        }
        try await replica.sync()
        #expect(try world.record("mine") == note("mine", "blue"))
        #expect(try world.record("edited") == note("edited", "blue", 1))
        #expect(try replica.records() == world.records() && replica.status.isSynced)
    }
}
