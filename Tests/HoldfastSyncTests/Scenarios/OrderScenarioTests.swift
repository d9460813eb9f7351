import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastTesting
import Synchronization
import Testing

/// Scenarios of sync.md: what waits for what, and what does not.
@Suite(.timeLimit(.minutes(20))) struct OrderScenarioTests {
    private static func refusing(_ field: String) -> SyncServerConfiguration {
        var configuration = SyncServerConfiguration()
        configuration.validate = { _, object, _ in
            object[field] == nil ? nil : SyncProblem(type: ProblemType.invalid, detail: "no")
        }
        return configuration
    }

    @Test("S3: a refused creation costs one request; what depends on it waits, all else flows")
    func aRefusedCreationBlocksOnlyItsDependents() async throws {
        let world = try await ScenarioWorld(Self.refusing("bad"))
        let replica = try await world.syncedReplica()
        try await replica.put(["id": "A", "bad": 1], in: "folders")
        try await replica.advance(to: .push)
        try await replica.resolve(.push)
        try await replica.put(["id": "B"])
        try await replica.put(["id": "C", "folder": "A"])
        try await world.serverPut(["id": "D"])
        try await replica.run(for: .seconds(3_600))
        #expect(try replica.operations.count { $0.record.id == "A" } == 1)
        #expect(try world.record("B") != nil)
        #expect(try world.record("C") == nil)
        #expect(try replica.get("D") != nil)
        guard case .needsAttention(let problem) = try replica.status(of: "A", in: "folders")
        else {
            Issue.record("the refused record does not need attention")
            return
        }
        #expect(problem.detail == "no")
        #expect(try replica.status.attention == 1 && replica.status.pending == 2)
        // Editing the record is the retry.
        try await replica.put(["id": "A"], in: "folders")
        try await replica.sync()
        #expect(try world.record("A", in: "folders") == ["id": "A"])
        #expect(try world.record("C") == ["id": "C", "folder": "A"])
        #expect(try replica.status.isSynced)
    }

    @Test("S3: a refused creation in one request with its dependents blocks only them")
    func aRefusedCreationInOneRequest() async throws {
        let world = try await ScenarioWorld(Self.refusing("bad"))
        let replica = try await world.syncedReplica()
        try await replica.write { transaction in
            try transaction.put(["id": "A", "bad": 1], in: "folders")
            try transaction.put(["id": "B"], in: "notes")
            try transaction.put(["id": "C", "folder": "A"], in: "notes")
        }
        try await replica.run(for: .seconds(3_600))
        #expect(try replica.operations.count { $0.record.id == "A" } == 1)
        #expect(try world.record("B") != nil)
        #expect(try world.record("C") == nil)
        try await replica.put(["id": "A"], in: "folders")
        try await replica.sync()
        #expect(try world.record("C") == ["id": "C", "folder": "A"])
        #expect(try replica.status.isSynced)
    }

    @Test("S7: without room for a parent, it and its child wait, and both go once there is room")
    func aFullAccountLosesNothing() async throws {
        let isFull = Mutex(true)
        var configuration = SyncServerConfiguration()
        configuration.quota = { _, record, _ in
            guard record.table == "folders", isFull.withLock({ $0 }) else { return nil }
            return SyncProblem(type: ProblemType.quota, detail: "full")
        }
        let world = try await ScenarioWorld(configuration)
        let replica = try await world.syncedReplica()
        try await replica.put(["id": "P"], in: "folders")
        try await replica.put(["id": "C", "folder": "P"])
        try await replica.run(for: .seconds(7_200))
        #expect(try replica.status.pause == .quota)
        #expect(try replica.status.pending == 2 && replica.status.attention == 0)
        #expect(try replica.get("C") != nil && replica.get("P", in: "folders") != nil)
        #expect(replica.count(.push) < 60)
        isFull.withLock { $0 = false }
        try await replica.run(for: .seconds(900))
        #expect(try world.record("P", in: "folders") != nil)
        #expect(try world.record("C") != nil)
        #expect(try replica.status.isSynced && replica.status.pause == nil)
    }

    /// A server that lacks the parents of notes, so many times.
    private static func lacksParents(
        _ replica: Replica,
        times: Int
    ) -> (SyncRequest) -> Replica.Answer? {
        var left = times
        return { request in
            guard case .push(let push) = request, left > 0 else { return nil }
            left -= 1
            let problem = SyncProblem(type: ProblemType.missingParent, detail: "not here yet")
            let results = push.operations.compactMap { operation in
                (try? PushOperation(text: operation.text)).map {
                    PushResult(key: $0.key, status: .deferred, problem: problem)
                }
            }
            return replica.response(results).map { .success(.push($0)) }
        }
    }

    @Test("S7: a change that the server puts off for want of a parent goes with the same bytes")
    func whatIsPutOffGoesAgain() async throws {
        let world = try await ScenarioWorld()
        let replica = try await world.syncedReplica()
        replica.interception = Self.lacksParents(replica, times: 2)
        try await replica.put(["id": "a"])
        try await replica.run(for: .seconds(300))
        #expect(try world.record("a") != nil)
        #expect(Set(replica.pushes.flatMap(\.operations)).count == 1)
        #expect(replica.count(.push) == 3)
    }

    @Test("S7: a change that is put off three times after a full pull needs attention")
    func whatIsPutOffForEverNeedsAttention() async throws {
        let world = try await ScenarioWorld()
        let replica = try await world.syncedReplica()
        replica.interception = Self.lacksParents(replica, times: .max)
        try await replica.put(["id": "a"])
        try await replica.run(for: .seconds(3_600))
        #expect(try replica.status.attention == 1)
        #expect(replica.count(.push) == 3)
        #expect(try replica.get("a") != nil)
    }

    @Test("S8: an edit on a stale base and a new child in one request are both on the server")
    func aStaleParentDoesNotHoldItsChild() async throws {
        let world = try await ScenarioWorld()
        try await world.serverPut(["id": "P", "name": "old", "best": 1], in: "folders")
        let replica = try await world.syncedReplica()
        try await world.serverPatch("P", ["name": "new"], in: "folders")
        try await replica.write { transaction in
            try transaction.patch("P", in: "folders", with: ["color": "red"])
            try transaction.put(["id": "C", "folder": "P"], in: "notes")
        }
        try await replica.advance(to: .push)
        #expect(try replica.held.first { $0.request.kind == .push }?.operations.count == 2)
        try await replica.sync()
        let parent: JSONObject = ["id": "P", "name": "new", "best": 1, "color": "red"]
        #expect(try world.record("P", in: "folders") == parent)
        #expect(try replica.get("P", in: "folders") == parent)
        #expect(try world.record("C") != nil)
        #expect(try replica.status.isSynced)
    }

    @Test("S29: one refused record keeps no other from arriving")
    func aRefusedRecordStopsNoPull() async throws {
        let world = try await ScenarioWorld(Self.refusing("bad"))
        let replica = try await world.syncedReplica()
        try await replica.put(["id": "a", "bad": 1])
        try await replica.sync()
        #expect(try replica.status.attention == 1)
        for number in 0..<10 {
            try await world.serverPut(["id": .string("other \(number)")])
            try await replica.run(for: .seconds(61))
        }
        #expect(try replica.records().count == 11)
        #expect(try replica.get("a") == ["id": "a", "bad": 1])
        #expect(try replica.operations.count == 1)
    }

    @Test("S37: what is too large for one request is halved; one that never fits needs attention")
    func tooLargeARequestIsHalved() async throws {
        let world = try await ScenarioWorld()
        let replica = try await world.syncedReplica()
        // A server that takes three mutations at most, and none of "big", and did not say so.
        replica.interception = { request in
            guard case .push(let push) = request else { return nil }
            let isBig = push.operations.contains {
                String(decoding: $0.text, as: UTF8.self).contains("big")
            }
            if push.operations.count <= 3, !isBig { return nil }
            return .failure(TransportFailure(.refused(status: 413)))
        }
        try await replica.write { transaction in
            for number in 0..<40 { try transaction.put(["id": .string("\(number)")], in: "notes") }
            try transaction.put(["id": "x", "text": "big"], in: "notes")
        }
        try await replica.run(for: .seconds(600))
        #expect(try world.records().count == 40)
        let status = try replica.status
        #expect(status.pending == 1 && status.attention == 1)
        guard case .needsAttention(let problem) = try replica.status(of: "x") else {
            Issue.record("the one that is too large does not need attention")
            return
        }
        #expect(problem.type == ProblemType.tooLarge)
        #expect(replica.count(.push) < 60)
    }

    @Test("S37: the limits that a server publishes are kept")
    func publishedLimitsAreKept() async throws {
        var configuration = SyncServerConfiguration()
        configuration.maximumOperations = 7
        let world = try await ScenarioWorld(configuration)
        let replica = try await world.syncedReplica()
        try await replica.write { transaction in
            for number in 0..<40 { try transaction.put(["id": .string("\(number)")], in: "notes") }
        }
        try await replica.sync()
        #expect(try world.records().count == 40)
        #expect(replica.pushes.map(\.operations.count).max() == 7)
        #expect(replica.count(.push) == 6)
    }

    @Test("I8: a group that writes one record twice around a step of a counter is applied whole")
    func aGroupMayWriteARecordTwice() async throws {
        let world = try await ScenarioWorld()
        let replica = try await world.syncedReplica()
        for round in 1...2 {
            try await replica.write(atomicOnServer: true) { transaction in
                try transaction.put(
                    ["id": "a", "x": .integer(Int64(round)), "asked": 1, "votes": 1],
                    in: "notes"
                )
                try transaction.increment("votes", of: "a", in: "notes")
                try transaction.put(["id": "b", "x": .integer(Int64(round))], in: "notes")
                try transaction.patch("a", in: "notes", with: ["x": 10, "asked": 2])
            }
            try await replica.sync()
            #expect(try world.record("a") == ["id": "a", "x": 10, "asked": 2, "votes": 2])
            #expect(try world.record("b")?["x"] == .integer(Int64(round)))
            #expect(try replica.records() == world.records())
            #expect(try replica.status.isSynced)
        }
        #expect(try world.ledger.isEmpty)
        #expect(try Set(replica.operations.map(\.key)).count == replica.operations.count)
    }
}
