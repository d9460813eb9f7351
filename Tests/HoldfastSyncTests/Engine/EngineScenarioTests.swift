import Holdfast
import HoldfastServer
import HoldfastSync
import HoldfastTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(20))) struct EngineScenarioTests {
    /// S3
    @Test func oneRefusedRecordHoldsBackWhatDependsOnItAndNothingElse() async throws {
        let world = try await EngineWorld()
        let engine = try await world.started()
        try await engine.sync()
        try await engine.store.write { transaction in
            try transaction.put(["id": "A", "bad": 1], in: "folders")
            try transaction.put(["id": "B"], in: "notes")
            try transaction.put(["id": "C", "folder": "A"], in: "notes")
        }
        try await engine.sync()
        try await engine.sync()
        #expect(try world.onServer("B") != nil)
        #expect(try engine.attention().map(\.record.id) == ["A"])
        #expect(try world.pushed.flatMap(\.self).filter { $0 == "A" }.count == 1)
        guard case .waiting(_, let blockers) = try engine.status(of: RecordReference("notes", "C"))
        else {
            Issue.record("C does not wait")
            return
        }
        #expect(blockers == [RecordReference("folders", "A")])
        try await world.server.write { _ = try $0.put([:], of: "D", in: "notes") }
        try await engine.sync()
        #expect(try engine.get("D") != nil)
        try await engine.put(["id": "A"], in: "folders")
        try await engine.waitForSync()
        #expect(try world.onServer("A", in: "folders") == ["id": "A"])
        #expect(try world.onServer("C") == ["id": "C", "folder": "A"])
        await engine.stop()
    }

    /// S4
    @Test func oneRefusalAndThenSilenceDrainsByTheClockAlone() async throws {
        let world = try await EngineWorld()
        let engine = try await world.started()
        try await engine.sync()
        world.server.fail(with: .status(503), of: [.push])
        try await engine.put(["id": "a"])
        try await engine.wait { $0.pending == 1 && $0.lastFailure != nil }
        #expect(!engine.status.isSynced)
        try await world.letTimePass(for: engine) { $0.isSynced }
        #expect(try world.onServer("a") != nil)
        await engine.stop()
    }

    /// S5
    @Test func aTransportThatIsStuckIsSeenAndStartedAgain() async throws {
        let world = try await EngineWorld()
        let engine = try await world.started()
        try await engine.sync()
        world.server.fail(with: .heldRequest, of: [.push])
        try await engine.put(["id": "a"])
        await world.server.waitUntilHeld()
        try await engine.wait { $0.phase == .sending }
        await world.clock.advance(by: engine.configuration.deadline)
        try await engine.wait { $0.isStalled }
        let status = engine.status
        #expect(status.pending == 1 && status.oldestPending != nil && !status.isSynced)
        try await world.letTimePass(for: engine) { $0.isSynced }
        world.server.release()
        #expect(try world.onServer("a") == ["id": "a"])
        #expect(!engine.status.isStalled)
        await engine.stop()
    }

    /// S34
    @Test func syncedIsSaidOnlyWhenAPullHasConfirmedIt() async throws {
        let world = try await EngineWorld()
        let engine = try await world.started()
        try await engine.sync()
        world.server.fail(with: .heldAnswer, of: [.changes])
        try await engine.put(["id": "a"])
        await world.server.waitUntilHeld()
        try await engine.wait { $0.pending == 0 }
        #expect(try world.onServer("a") != nil)
        #expect(!engine.status.isSynced)
        #expect(try engine.status(of: RecordReference("notes", "a")) == .acknowledged)
        world.server.release()
        try await engine.waitForSync()
        #expect(try engine.status(of: RecordReference("notes", "a")) == .confirmed)
        await engine.stop()
    }

    /// S39
    @Test func aCaptivePortalReadsAsUnreachableAndConcludesNothing() async throws {
        let world = try await EngineWorld()
        world.server.fail(with: .portal, times: nil)
        let engine = try await world.started()
        try await engine.put(["id": "a"])
        let status = try await engine.sync()
        #expect(status.pause == .unreachable)
        #expect(status.pending == 1 && !status.isSynced)
        world.server.removeFaults()
        try await engine.waitForSync()
        #expect(try world.onServer("a") == ["id": "a"])
        await engine.stop()
    }

    /// S40
    @Test func aRecordThatWasSavedThreeTimesWithALostAnswerIsOneRecord() async throws {
        let world = try await EngineWorld()
        world.server.fail(with: .lostAnswer, of: [.push])
        let engine = try await world.engine()
        for number in 1...3 as ClosedRange<Int64> {
            try await engine.put(["id": "a", "n": .integer(number)])
        }
        engine.start()
        try await engine.sync()
        try await engine.waitForSync()
        #expect(try world.onServer("a") == ["id": "a", "n": 3])
        #expect(try world.server.store.read { try $0.count(of: "notes") } == 1)
        await engine.stop()
    }

    /// S20
    @Test func anExpiredTokenIsRefreshedOnceAndTheOrderIsKept() async throws {
        let world = try await EngineWorld()
        let asked = Mutex<[String?]>([])
        let engine = try await world.engine { rejected in
            asked.withLock { $0.append(rejected) }
            return rejected == nil ? "old" : "new"
        }
        try await engine.put(["id": "a"])
        engine.start()
        try await engine.waitForSync()
        world.server.refuse(token: "old")
        try await engine.put(["id": "a", "n": 1])
        try await engine.put(["id": "b"])
        try await engine.waitForSync()
        #expect(asked.withLock(\.self) == [nil, "old"])
        #expect(try world.onServer("a") == ["id": "a", "n": 1])
        await engine.stop()
    }

    /// S20
    @Test func aTokenThatCannotBeRefreshedPausesWithoutALoop() async throws {
        let world = try await EngineWorld()
        let asked = Mutex(0)
        let engine = try await world.engine { rejected in
            asked.withLock { $0 += 1 }
            return rejected == nil ? "old" : nil
        }
        world.server.refuse(token: "old")
        try await engine.put(["id": "a"])
        engine.start()
        try await engine.wait { $0.pause == .auth }
        let requests = world.server.exchanges.count
        let error = await #expect(throws: SyncError.self) { try await engine.waitForSync() }
        #expect(error?.code == .paused)
        #expect(asked.withLock(\.self) <= 3)
        #expect(world.server.exchanges.count <= requests + 2)
        #expect(engine.status.pending == 1)
        await engine.stop()
    }
}
