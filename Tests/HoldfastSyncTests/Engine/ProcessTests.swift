import Holdfast
import HoldfastServer
import HoldfastSync
import HoldfastTesting
import Testing

@Suite(.timeLimit(.minutes(20))) struct ProcessTests {
    private let disk = SimulatedDisk()

    private func open(_ access: StoreOptions.Access = .create) async throws -> Store {
        var options = StoreOptions(access: access)
        options.journal.fileSystem = disk
        options.journal.firstSegmentBytes = 65_536
        options.journal.largestSegmentBytes = 65_536
        return try await Store.open(at: "store", schema: EngineWorld.schema, options: options)
    }

    /// S31
    @Test func oneProcessSyncsAndTheOthersSeeWhatItBrings() async throws {
        let world = try await EngineWorld()
        let writer = try await open()
        let reader = try await open(.read)
        let engine = try await world.engine(on: writer)
        engine.start()
        try await world.server.write { _ = try $0.put([:], of: "a", in: "notes") }
        try await engine.sync()
        let second = try await world.engine(on: reader)
        second.start()
        let error = await #expect(throws: StoreError.self) { try await second.sync() }
        #expect(error?.code == .readOnly)
        await second.stop()
        await engine.stop()
        try await writer.close()
        try await reader.refresh()
        #expect(try reader.read { try $0.contains("a", in: "notes") })
        try await reader.close()
    }

    @Test func anEngineRestsWhileItsStoreIsSuspendedAndGoesOnAfterwards() async throws {
        let world = try await EngineWorld()
        let store = try await open()
        let engine = try await world.engine(on: store)
        engine.start()
        try await engine.put(["id": "a"])
        try await engine.waitForSync()
        try await engine.put(["id": "b"])
        try await store.suspend()
        engine.notify(.manual)
        while engine.failure == nil, try world.onServer("b") == nil { await Task.yield() }
        try await store.resume()
        while engine.failure != nil { await world.clock.advance(by: .seconds(5)) }
        try await engine.waitForSync()
        #expect(try world.onServer("b") != nil)
        await engine.stop()
        try await store.close()
    }

    /// S27
    @Test func whatWaitsIsThereAfterTheStoreIsOpenedAgain() async throws {
        let world = try await EngineWorld()
        var store = try await open()
        try await store.write { try $0.put(["id": "a"], in: "notes") }
        world.server.fail(with: .lostAnswer, of: [.push])
        world.server.fail(with: .unreachable, of: [.changes], times: nil)
        var engine = try await world.engine(on: store)
        engine.start()
        try await engine.wait { $0.lastFailure?.kind == .timedOut || $0.pause == .unreachable }
        await engine.stop()
        try await store.close()
        world.server.removeFaults()
        store = try await open()
        engine = try await world.engine(on: store)
        #expect(engine.status.pending == 1)
        engine.start()
        try await engine.waitForSync()
        #expect(try world.server.store.read { try $0.count(of: "notes") } == 1)
        await engine.stop()
        try await store.close()
    }
}
