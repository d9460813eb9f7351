import Holdfast
import HoldfastNetwork
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import Synchronization

/// `SyncServer` over memory, through its local transport, or over HTTP as one on another machine.
final class LocalSubject: ProtocolSubject {
    struct World {
        var granted: [String: [ScopeName]] = [:]
        var withoutRoom: Set<String> = []
        var time: Int64 = 1_700_000_000_000
    }

    let server: SyncServer
    let transport: any SyncTransport
    private let listener: SyncListener?
    private let world: WorldBox

    final class WorldBox: Sendable {
        let value = Mutex(World())
    }

    init(_ limits: ProtocolLimits = ProtocolLimits(), overHTTP: Bool) async throws {
        let world = WorldBox()
        self.world = world
        var configuration = Self.configuration(world)
        configuration.maximumOperations = limits.operations
        configuration.maximumBytes = limits.bytes
        configuration.maximumPage = limits.page
        configuration.maximumPageBytes = limits.pageBytes
        configuration.keyRetention = limits.retention
        configuration.schemas = limits.schemas
        let store = try await Store(storage: MemoryStorage(), schema: Self.schema)
        server = try await SyncServer(store: store, configuration: configuration)
        guard overHTTP else {
            (transport, listener) = (LocalTransport(server: server), nil)
            return
        }
        var listening = ListenerConfiguration(
            authentication: Authentication { Principal($0 ?? "anyone") }
        )
        listening.port = 0
        listening.setPatient()
        let listener = try SyncListener(server, listening)
        self.listener = listener
        let url = try ServerURL("http://127.0.0.1:\(listener.port)")
        transport = SocketTransport(url, limits: .patient, now: { 0 })
    }

    private static let schema = Schema(version: 1) {
        Table("folders")
        Table("notes") { Reference("folder", to: "folders") }
    }

    private static func configuration(_ world: WorldBox) -> SyncServerConfiguration {
        var configuration = SyncServerConfiguration()
        configuration.scope = { _, object, _ in
            ScopeName(object["scope"]?.stringValue ?? "all")
        }
        configuration.scopes = { principal in
            [ScopeName("all")] + world.value.withLock { $0.granted[principal.id] ?? [] }
        }
        configuration.validate = { _, object, _ in
            if object["title"] == "forbidden" {
                return SyncProblem(
                    type: ProblemType.invalid,
                    detail: "This title is not allowed.",
                    pointer: "/title"
                )
            }
            if object["title"] == " trim " { object["title"] = "trim" }
            return nil
        }
        configuration.quota = { principal, record, _ in
            let isFull = world.value.withLock { $0.withoutRoom.contains(principal.id) }
            guard isFull, record.table == "folders" else { return nil }
            return SyncProblem(type: ProblemType.quota, detail: "There is no room left.")
        }
        configuration.actions["rename"] = { call, transaction in
            guard let title = call.arguments["title"] else {
                throw SyncProblem(type: ProblemType.invalid, detail: "A title is needed.")
            }
            try transaction.patch(call.record.id, in: call.record.table, with: ["title": title])
        }
        configuration.clock = { world.value.withLock { $0.time } }
        return configuration
    }

    func grant(_ scope: ScopeName, to token: String, _ isGranted: Bool) {
        world.value.withLock { world in
            world.granted[token, default: []].removeAll { $0 == scope }
            if isGranted { world.granted[token, default: []].append(scope) }
        }
    }

    func setRoom(_ hasRoom: Bool, for token: String) {
        world.value.withLock { world in
            if hasRoom {
                world.withoutRoom.remove(token)
            } else {
                world.withoutRoom.insert(token)
            }
        }
    }

    func advance(by time: Duration) {
        world.value.withLock { $0.time += time.components.seconds * 1_000 }
    }

    func purge() async throws { try await server.purgeTombstones(olderThan: .zero) }
    func collectKeys() async throws { try await server.collectKeys() }
    func beginEpoch() async throws { try await server.beginEpoch() }

    func edit(_ record: RecordReference, _ fields: JSONObject) async throws {
        try await server.write { transaction in
            if try transaction.get(record.id, in: record.table) == nil {
                try transaction.put(fields, of: record.id, in: record.table)
            } else {
                try transaction.patch(record.id, in: record.table, with: fields)
            }
        }
    }
}
