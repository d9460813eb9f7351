import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastTesting
import Testing

/// Scenarios of sync.md: networks and servers that fail.
@Suite(.timeLimit(.minutes(20))) struct NetworkScenarioTests {
    @Test(
        "S4: after one 503 and then silence, the outbox drains on the clock alone",
        arguments: [ServerFault.RequestKind.hello, .push, .changes]
    ) func theClockAloneDrains(_ kind: ServerFault.RequestKind) async throws {
        let world = try await ScenarioWorld()
        world.server.fail(with: .status(503), of: [kind])
        let replica = try await world.replica()
        try await replica.put(["id": "a"])
        try await replica.run(for: .seconds(10))
        #expect(try world.record("a") != nil)
        #expect(try replica.status.isSynced)
    }

    @Test("S5: a request that hangs is given up at its deadline, shown as stalled and made again")
    func aHangingRequestIsMadeAgain() async throws {
        let world = try await ScenarioWorld()
        let replica = try await world.syncedReplica()
        try await replica.put(["id": "a"])
        try await replica.advance(to: .push)
        let hanging = try replica.take(.push)
        try await replica.waitInSilence(.seconds(31))
        let status = try replica.status
        #expect(status.isStalled && status.pending == 1)
        #expect(status.oldestPending == 1_767_225_600_000)
        try await replica.run(for: .seconds(10))
        #expect(try world.record("a") != nil)
        #expect(try !replica.status.isStalled && replica.status.isSynced)
        // What the hanging request comes to at last changes nothing.
        try await replica.answer(hanging, await replica.arrive(hanging))
        #expect(try replica.status.isSynced)
        #expect(try world.records().count == 1)
    }

    @Test("S20: a token that expires in the middle is refreshed once, and the order is kept")
    func anExpiredTokenIsRefreshedOnce() async throws {
        let world = try await ScenarioWorld()
        let replica = try await world.replica(token: "old") { $0.batchOperations = 2 }
        try await replica.sync()
        for number in 0..<6 { try await replica.put(["id": .string("\(number)")]) }
        try await replica.advance(to: .push)
        try await replica.resolve(.push)
        world.server.refuse(token: "old")
        try await replica.run(for: .seconds(5))
        #expect(replica.wantsCredentials && replica.refreshes == 1)
        #expect(try world.records().count == 2)
        try await replica.handle(.credentials(SyncCredentials(token: "new")))
        try await replica.run(for: .seconds(5))
        #expect(replica.refreshes == 1)
        #expect(try replica.status.isSynced)
        var sequences: [Int64] = []
        for number in try replica.operations.map(\.sequence) where !sequences.contains(number) {
            sequences.append(number)
        }
        #expect(sequences == [1, 2, 3, 4, 5, 6])
    }

    @Test("S20: a refresh that fails stops and says so, without a loop")
    func aFailedRefreshStops() async throws {
        let world = try await ScenarioWorld()
        world.server.refuse(token: "old")
        let replica = try await world.replica(token: "old")
        try await replica.put(["id": "a"])
        try await replica.run(for: .seconds(5))
        #expect(replica.wantsCredentials)
        try await replica.handle(.credentials(nil))
        let count = replica.sent.count
        try await replica.run(for: .seconds(3_600))
        #expect(replica.sent.count == count)
        #expect(try replica.status.pause == .auth)
        #expect(try replica.status.pending == 1)
        // Somebody signs in again.
        try await replica.handle(.credentials(SyncCredentials(token: "new")))
        try await replica.run(for: .seconds(5))
        #expect(try world.record("a") != nil)
    }

    @Test("S20: fresh credentials that are refused too are not asked for again and again")
    func refusedFreshCredentialsEndIt() async throws {
        let world = try await ScenarioWorld()
        world.server.fail(with: .status(401), times: nil)
        let replica = try await world.replica(token: "0")
        try await replica.put(["id": "a"])
        for number in 1..<10 {
            try await replica.run(for: .seconds(600))
            guard replica.wantsCredentials else { break }
            try await replica.handle(.credentials(SyncCredentials(token: "\(number)")))
        }
        #expect(replica.refreshes == 1)
        #expect(replica.sent.count <= 4)
        #expect(try replica.status.pause == .auth)
    }

    @Test("S25: a clock that is a day off, or goes back, changes no outcome")
    func aWrongClockChangesNothing() async throws {
        var outcomes: Set<JSONObject> = []
        for offset: Int64 in [0, 86_400_000, -86_400_000] {
            let world = try await ScenarioWorld()
            try await world.serverPut(["id": "a", "x": 0, "votes": 1])
            let reads = SharedRandom(seed: 1)
            // It also jumps back and forth while it runs.
            let replica = try await world.replica(withClock: {
                1_767_225_600_000 + offset * Int64(reads.next() % 3)
            })
            let other = try await world.syncedReplica()
            try await replica.sync()
            try await replica.put(["id": "a", "x": 1, "votes": 3])
            try await other.put(["id": "a", "x": 2, "votes": 1])
            try await replica.sync()
            try await other.sync()
            try await replica.delete("a")
            try await other.put(["id": "a", "x": 4, "votes": 3])
            try await other.sync()
            try await replica.sync()
            try await other.sync()
            #expect(try replica.get("a") == other.get("a"))
            outcomes.insert(try #require(try world.record("a")))
        }
        #expect(outcomes.count == 1)
    }

    @Test("S26: an answer lost, the app killed and a retry at the same time have one effect")
    func aRetryHasOneEffect() async throws {
        let world = try await ScenarioWorld()
        try await world.serverPut(["id": "a", "votes": 0])
        let replica = try await world.syncedReplica()
        try await replica.write { transaction in
            try transaction.increment("votes", of: "a", in: "notes", by: 2)
            try transaction.put(["id": "b", "x": 1], in: "notes")
        }
        try await replica.advance(to: .push)
        let first = try replica.take(.push)
        _ = await replica.arrive(first)
        try await replica.restart()
        try await replica.advance(to: .push)
        let second = try replica.take(.push)
        #expect(first.request == second.request)
        // The first arrives once more, as a network may have it.
        let transport = world.server.transport(for: replica.principal)
        async let late = transport.answer(first.request, first.credentials)
        let answer = await replica.arrive(second)
        #expect(try await answer == .success(late))
        try await replica.answer(second, answer)
        try await replica.sync()
        #expect(try world.record("a")?["votes"] == 2)
        #expect(try replica.get("a")?["votes"] == 2)
        #expect(try world.records().count == 2)
        #expect(try replica.status.isSynced)
    }

    @Test("S27: a retry is byte-identical after an edit, and the edit has a key of its own")
    func aRetryIsByteIdentical() async throws {
        let world = try await ScenarioWorld()
        let replica = try await world.syncedReplica()
        try await replica.put(["id": "a", "x": 1])
        try await replica.advance(to: .push)
        try await replica.resolve(.push, .requestLost)
        try await replica.put(["id": "a", "x": 2])
        try await replica.restart()
        try await replica.sync()
        let pushes = replica.pushes
        #expect(pushes.count == 3)
        #expect(pushes[0].operations == pushes[1].operations)
        let keys = try replica.operations.map(\.key)
        #expect(keys[0] == keys[1] && keys[1] != keys[2])
        #expect(try world.record("a") == ["id": "a", "x": 2])
    }

    @Test("S39: a captive portal reads as unreachable: nothing is acknowledged, nothing lost")
    func aCaptivePortalIsNoAnswer() async throws {
        let world = try await ScenarioWorld()
        let replica = try await world.syncedReplica()
        try await replica.put(["id": "a"])
        try await replica.advance(to: .push)
        world.server.fail(with: .portal, times: nil)
        try await replica.run(for: .seconds(3_600))
        let status = try replica.status
        #expect(status.pause == .unreachable)
        #expect(status.lastFailure?.kind == .foreign)
        #expect(status.pending == 1 && status.unconfirmed == 0 && !status.isSynced)
        #expect(replica.sent.count < 60)
        world.server.removeFaults()
        try await replica.run(for: .seconds(300))
        #expect(try world.record("a") != nil)
        #expect(try replica.status.isSynced)
    }
}
