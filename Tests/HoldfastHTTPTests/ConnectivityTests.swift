import Foundation
import Holdfast
import HoldfastHTTP
import HoldfastServer
import HoldfastSync
import Testing

/// When a network counts as having come back.
@Suite struct ConnectivityTests {
    /// Every sequence of hints, with looks between them whether the last turn has lasted.
    @Test func aReconnectionIsOneTurnFromOfflineToOnlineThatLasts() {
        for code in 0..<729 {
            var edge = ReconnectionEdge()
            var (turn, last, wasOffline): (Int?, Bool?, Bool) = (nil, nil, false)
            var rest = code
            for _ in 0..<6 {
                let event = rest % 3
                rest /= 3
                if event == 2 {
                    let isCounted = turn.map { edge.settle($0) } ?? false
                    #expect(isCounted == (last == true && wasOffline), "case \(code)")
                    if isCounted { wasOffline = false }
                } else {
                    let isOnline = event == 1
                    let begun = edge.observe(isOnline)
                    if isOnline != last { turn = begun }
                    if !isOnline { wasOffline = true }
                    last = isOnline
                }
            }
        }
    }

    @Test func aTurnThatDidNotLastIsForgotten() {
        var edge = ReconnectionEdge()
        let turns = [false, true, false, true].map { edge.observe($0) }
        #expect(turns == [nil, 2, nil, 4])
        let settled = [2, 4, 4].map { edge.settle($0) }
        #expect(settled == [false, true, false])
    }

    @Test func whatIsThereFromTheBeginningIsNoNews() async {
        let hints = AsyncStream { continuation in
            for hint in [true, true, false, true] { continuation.yield(hint) }
            continuation.finish()
        }
        let connectivity = Connectivity(quiet: .zero) { hints }
        var count = 0
        for await _ in connectivity.reconnections() { count += 1 }
        #expect(count == 1)
    }

    @Test func anEngineThatIsToldAsksAtOnce() async throws {
        let schema = Schema(version: 1) { Table("notes").synced() }
        let server = try await SyncServer(store: Store(storage: MemoryStorage(), schema: schema))
        let store = try await Store(storage: MemoryStorage(), schema: schema)
        var configuration = SyncConfiguration()
        configuration.interval = .seconds(86_400)
        let engine = try SyncEngine(
            store: store,
            transport: SilentHints(LocalTransport(server: server)),
            configuration: configuration
        )
        engine.start()
        try await engine.waitForSync()
        try await server.write { _ = try $0.put(["x": 1], of: "a", in: "notes") }
        let connectivity = Connectivity(quiet: .zero) {
            AsyncStream { continuation in
                for hint in [false, true] { continuation.yield(hint) }
                continuation.finish()
            }
        }
        await connectivity.follow(with: engine)
        while try store.read({ try $0.get("a", in: "notes") }) == nil { await Task.yield() }
        await engine.stop()
    }

    #if os(Linux)
    @Test func interfacesAreUpAsTheirStatesSay() throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("interfaces-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        func set(_ name: String, _ state: String) throws {
            let folder = directory.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("\(state)\n".utf8).write(to: folder.appendingPathComponent("operstate"))
        }
        #expect(!SystemConnectivity.isUp(in: directory.path))
        try set("lo", "unknown")
        try set("eth0", "down")
        #expect(!SystemConnectivity.isUp(in: directory.path))
        try set("tun0", "unknown")
        #expect(SystemConnectivity.isUp(in: directory.path))
        try set("tun0", "lowerlayerdown")
        try set("eth0", "up")
        #expect(SystemConnectivity.isUp(in: directory.path))
    }
    #endif
}

/// A transport whose feed says nothing, so that a test's own hint is what makes an engine ask.
private struct SilentHints: SyncTransport {
    private let transport: LocalTransport

    init(_ transport: LocalTransport) { self.transport = transport }

    var capabilities: SyncCapabilities { transport.capabilities }

    func hello(_ credentials: SyncCredentials) async throws(TransportFailure) -> ServerHello {
        try await transport.hello(credentials)
    }

    func push(
        _ request: PushRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> PushResponse {
        try await transport.push(request, credentials)
    }

    func changes(
        _ request: ChangesRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> ChangesPage {
        try await transport.changes(request, credentials)
    }

    func snapshot(
        _ request: SnapshotRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> SnapshotPage {
        try await transport.snapshot(request, credentials)
    }

    func records(
        _ request: RecordsRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> RecordsPage {
        try await transport.records(request, credentials)
    }

    func pokes(_ credentials: SyncCredentials) -> AsyncStream<ServerPoke> {
        AsyncStream { _ in }
    }
}
