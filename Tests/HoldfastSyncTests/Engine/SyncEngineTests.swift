import Holdfast
import HoldfastServer
import HoldfastSync
import Testing

@Suite(.timeLimit(.minutes(20))) struct SyncEngineTests {
    @Test func twoReplicasConverge() async throws {
        let world = try await EngineWorld()
        let (first, second) = (try await world.engine(), try await world.engine())
        first.start()
        second.start()
        try await first.put(["id": "a", "x": 1])
        try await first.waitForSync()
        #expect(try world.onServer("a") == ["id": "a", "x": 1])
        try await second.sync()
        #expect(try second.get("a") == ["id": "a", "x": 1])
        try await second.put(["id": "a", "x": 2])
        try await second.waitForSync()
        try await first.sync()
        #expect(try first.get("a") == ["id": "a", "x": 2])
        #expect(first.status.isSynced && second.status.isSynced)
        await first.stop()
        await second.stop()
    }

    @Test func aLocalWriteIsSentWithoutBeingAskedFor() async throws {
        let world = try await EngineWorld()
        let engine = try await world.engine()
        engine.start()
        try await engine.sync()
        try await engine.put(["id": "a"])
        try await engine.wait { try $0.isSynced && world.onServer("a") != nil }
        #expect(try world.onServer("a") == ["id": "a"])
        await engine.stop()
    }

    @Test func aHintFromTheServerIsFollowed() async throws {
        let world = try await EngineWorld()
        let (first, second) = (try await world.engine(), try await world.engine())
        first.start()
        try await first.sync()
        let values = first.store.values(Query("notes"))
        second.start()
        try await second.put(["id": "a"])
        for try await rows in values where !rows.isEmpty {
            #expect(rows == [["id": "a"]])
            break
        }
        await first.stop()
        await second.stop()
    }

    @Test func callsOfSyncThatOverlapJoin() async throws {
        let world = try await EngineWorld()
        let engine = try await world.engine()
        engine.start()
        try await engine.put(["id": "a"])
        try await withThrowingTaskGroup(of: SyncStatus.self) { group in
            for _ in 0..<20 { group.addTask { try await engine.sync() } }
            for try await status in group { #expect(status.pending == 0) }
        }
        #expect(try world.onServer("a") != nil)
        await engine.stop()
    }

    @Test func stoppingEndsTheWaitingOfEverybody() async throws {
        let world = try await EngineWorld()
        let engine = try await world.engine(transport: SilentTransport())
        engine.start()
        try await withThrowingTaskGroup(of: SyncError.Code?.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    do {
                        try await engine.sync()
                        return nil
                    } catch let error as SyncError {
                        return error.code
                    }
                }
            }
            try await engine.wait { $0.phase == .connecting }
            await engine.stop()
            for try await code in group { #expect(code == .notRunning) }
        }
        await #expect(throws: SyncError.self) { try await engine.sync() }
    }

    @Test func whoeverWaitsCanStopWaiting() async throws {
        let world = try await EngineWorld()
        let engine = try await world.engine(transport: SilentTransport())
        engine.start()
        let task = Task { try await engine.sync() }
        try await engine.wait { $0.phase == .connecting }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await engine.stop()
    }

    @Test func anEngineStartsAgainAfterItWasStopped() async throws {
        let world = try await EngineWorld()
        let engine = try await world.engine()
        engine.start()
        try await engine.sync()
        await engine.stop()
        try await engine.put(["id": "a"])
        #expect(engine.status.pending == 1 && !engine.status.isSynced)
        engine.start()
        try await engine.waitForSync()
        #expect(try world.onServer("a") != nil)
        await engine.stop()
    }

    @Test func aClosedStoreEndsTheEngineAndSaysSo() async throws {
        let world = try await EngineWorld()
        let engine = try await world.engine()
        engine.start()
        try await engine.sync()
        try await engine.store.close()
        await #expect(throws: StoreError.self) { try await engine.sync() }
        #expect((engine.failure as? StoreError)?.code == .closed)
        await engine.stop()
    }

    @Test func waitingForSyncEndsWhereSomebodyHasToDecide() async throws {
        let world = try await EngineWorld()
        let engine = try await world.engine()
        engine.start()
        try await engine.put(["id": "a", "bad": 1])
        let error = await #expect(throws: SyncError.self) { try await engine.waitForSync() }
        #expect(error?.code == .needsAttention)
        let refused = try #require(try engine.attention().first)
        #expect(refused.record == RecordReference("notes", "a"))
        #expect(refused.problem?.type == ProblemType.invalid)
        try await engine.discard(refused.id)
        try await engine.waitForSync()
        #expect(try engine.get("a") == nil)
        await engine.stop()
    }
}
