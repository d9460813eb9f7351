import Holdfast
import HoldfastSync
import HoldfastTesting
import Testing

@Suite(.timeLimit(.minutes(20))) struct StatusTests {
    @Test func theFirstStatusIsThatOfNowAndEachOtherDiffers() async throws {
        let world = try await EngineWorld()
        let engine = try await world.engine()
        try await engine.put(["id": "a"])
        var seen: [SyncStatus] = []
        let statuses = engine.statuses()
        engine.start()
        for await status in statuses {
            seen.append(status)
            if status.isSynced { break }
        }
        #expect(seen.first?.pending == 1)
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 != $1 })
        await engine.stop()
    }

    @MainActor
    @Test func aLiveStatusFollowsTheEngine() async throws {
        let world = try await EngineWorld()
        let engine = try await world.engine()
        try await engine.put(["id": "a"])
        let live = LiveStatus(of: engine)
        #expect(live.status.pending == 1)
        engine.start()
        while !live.status.isSynced { await Task.yield() }
        #expect(live.status.description == "synced")
        await engine.stop()
    }

    @Test func aTransportThatCannotCarryCountersIsRefusedWhenTheEngineIsMade() async throws {
        struct Plain: SyncTransport {
            let capabilities: SyncCapabilities = [.patch]
            let silent = SilentTransport()

            func hello(_ credentials: SyncCredentials) async throws(TransportFailure) -> ServerHello
            {
                try await silent.hello(credentials)
            }

            func push(
                _ request: PushRequest,
                _ credentials: SyncCredentials
            ) async throws(TransportFailure) -> PushResponse {
                try await silent.push(request, credentials)
            }

            func changes(
                _ request: ChangesRequest,
                _ credentials: SyncCredentials
            ) async throws(TransportFailure) -> ChangesPage {
                try await silent.changes(request, credentials)
            }

            func snapshot(
                _ request: SnapshotRequest,
                _ credentials: SyncCredentials
            ) async throws(TransportFailure) -> SnapshotPage {
                try await silent.snapshot(request, credentials)
            }

            func records(
                _ request: RecordsRequest,
                _ credentials: SyncCredentials
            ) async throws(TransportFailure) -> RecordsPage {
                try await silent.records(request, credentials)
            }

            func pokes(_ credentials: SyncCredentials) -> AsyncStream<ServerPoke> {
                silent.pokes(credentials)
            }
        }
        let world = try await EngineWorld()
        let error = await #expect(throws: SyncError.self) {
            try await world.engine(transport: Plain())
        }
        #expect(error?.code == .unsupported)
        #expect(error?.table == "notes")
    }

    @Test func backgroundSyncOpensSyncsAndCloses() async throws {
        let world = try await EngineWorld()
        let store = try await world.store()
        try await store.write { try $0.put(["id": "a"], in: "notes") }
        let status = try await BackgroundSync.run(deadline: .seconds(20), clock: world.clock) {
            try await world.engine(on: store)
        }
        #expect(status.pending == 0)
        #expect(try world.onServer("a") != nil)
        #expect(throws: StoreError.self) { try store.read { try $0.count(of: "notes") } }
    }

    @Test func backgroundSyncEndsAtItsDeadline() async throws {
        let world = try await EngineWorld()
        let store = try await world.store()
        try await store.write { try $0.put(["id": "a"], in: "notes") }
        world.server.fail(with: .heldRequest, of: [.hello])
        let task = Task {
            try await BackgroundSync.run(deadline: .seconds(20), clock: world.clock) {
                try await world.engine(on: store)
            }
        }
        await world.server.waitUntilHeld()
        await world.clock.advance(by: .seconds(20))
        world.server.release()
        let status = try await task.value
        #expect(status.pending == 1)
    }
}
