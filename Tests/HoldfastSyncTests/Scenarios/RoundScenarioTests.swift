import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastTesting
import Testing

/// Which histories are read when: no more than what was named, and all of them in time.
@Suite(.timeLimit(.minutes(20))) struct RoundScenarioTests {
    private func world() async throws -> ScenarioWorld {
        let world = try await ScenarioWorld(ScopeScenarioTests.Teams().configuration)
        for team in ["red", "blue"] { try await world.serverPut(note(team, team)) }
        return world
    }

    private func note(_ id: String, _ team: String, _ x: Int64 = 0) -> JSONObject {
        ["id": .string(id), "team": .string(team), "x": .integer(x)]
    }

    /// The scopes that were asked for from a request on.
    private func asked(_ replica: Replica, from start: Int) -> [String] {
        replica.sent.dropFirst(start).compactMap { request in
            if case .changes(let request) = request { request.scope.text } else { nil }
        }
    }

    @Test func whatIsAcknowledgedIsReadInItsOwnScopeAlone() async throws {
        let world = try await world()
        let replica = try await world.syncedReplica()
        let start = replica.sent.count
        try await replica.put(note("mine", "blue"))
        try await replica.run(for: .seconds(2))
        #expect(try replica.status.isSynced)
        #expect(asked(replica, from: start) == ["blue"])
    }

    @Test func aHintReadsWhatItNames() async throws {
        let world = try await world()
        let replica = try await world.syncedReplica()
        try await world.serverPut(note("new", "blue"))
        try await world.serverPut(note("other", "red"))
        let start = replica.sent.count
        try await replica.handle(.trigger(.poke([ScopeName("blue")])))
        try await replica.run(for: .seconds(2))
        #expect(asked(replica, from: start) == ["blue"])
        #expect(try replica.get("new") != nil && replica.get("other") == nil)
        // What nothing has named is found by the clock.
        try await replica.run(for: .seconds(60))
        #expect(try replica.get("other") != nil)
    }

    /// It may have been granted, and the hint of that missed.
    @Test func aHintOfAScopeThatIsNotKnownReadsThemAll() async throws {
        let world = try await world()
        let replica = try await world.syncedReplica()
        let start = replica.sent.count
        try await replica.handle(.trigger(.poke([ScopeName("green")])))
        try await replica.run(for: .seconds(2))
        #expect(asked(replica, from: start) == ["blue", "red"])
    }

    @Test func aHintOfAScopeThatTheAppHasNotChosenReadsNothing() async throws {
        let world = try await world()
        let replica = try await world.replica { $0.scopes = [ScopeName("red")] }
        try await replica.sync()
        let start = replica.sent.count
        try await replica.handle(.trigger(.poke([ScopeName("blue")])))
        try await replica.run(for: .seconds(2))
        #expect(asked(replica, from: start).isEmpty)
    }

    @Test func aScopeThatCannotBeReadKeepsNoOtherWaiting() async throws {
        let world = try await world()
        let replica = try await world.syncedReplica()
        replica.interception = { request in
            guard case .changes(let request) = request, request.scope.text == "blue" else {
                return nil
            }
            return .failure(TransportFailure(.refused(status: 500)))
        }
        try await world.serverPut(note("new", "red"))
        try await replica.run(for: .seconds(120))
        #expect(try replica.get("new") != nil)
        #expect(try !replica.machine.activity.hasReachedEnd || replica.status.pending == 0)
        try await world.serverPut(note("late", "blue"))
        replica.interception = { _ in nil }
        try await replica.run(for: .seconds(600))
        #expect(try replica.get("late") != nil && replica.status.isSynced)
    }

    @Test func aHintInTheCourseOfAReadingReadsOnceMore() async throws {
        let world = try await world()
        let replica = try await world.syncedReplica()
        try await replica.handle(.trigger(.poke([ScopeName("blue")])))
        let request = try replica.take(.changes)
        let late = await replica.arrive(request)
        try await world.serverPut(note("new", "blue"))
        try await replica.handle(.trigger(.poke([ScopeName("blue")])))
        try await replica.answer(request, late)
        try await replica.run(for: .seconds(1))
        #expect(try replica.get("new") != nil)
    }

    @Test("S31: a page that was asked for before another process went on is for nobody")
    func aPageOfBeforeCountsForNothing() async throws {
        let world = try await world()
        let replica = try await world.syncedReplica()
        try await replica.handle(.trigger(.poke([ScopeName("blue")])))
        let request = try replica.take(.changes)
        let late = await replica.arrive(request)
        try await replica.machine.catchUp()
        try await world.serverPut(note("new", "blue"))
        try await replica.answer(request, late)
        try await replica.run(for: .seconds(2))
        #expect(try replica.get("new") != nil)
    }

    @Test func whatMovesToAnotherScopeStaysWhicheverIsReadFirst() async throws {
        for first in ["red", "blue"] {
            let world = try await world()
            try await world.serverPut(note("moved", "red"))
            let replica = try await world.syncedReplica()
            try await world.serverPatch("moved", ["team": "blue"])
            try await replica.handle(.trigger(.poke([ScopeName(first)])))
            try await replica.run(for: .seconds(2))
            #expect(try replica.get("moved") == note("moved", "blue"))
            #expect(try replica.status.isSynced)
        }
    }

    /// The history of its scope never tells of a deletion that was purged before it was read.
    @Test func whatNoPageBringsIsConfirmedByAWholeRound() async throws {
        let world = try await world()
        let replica = try await world.syncedReplica()
        try await replica.delete("blue")
        try await replica.advance(to: .push)
        try await replica.resolve(.push)
        try await world.server.purgeTombstones()
        try await replica.run(for: .seconds(2))
        #expect(try replica.status.isSynced)
        #expect(try replica.get("blue") == nil && world.record("blue") == nil)
    }
}
