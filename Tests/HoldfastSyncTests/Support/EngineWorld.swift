import Holdfast
import HoldfastServer
import HoldfastSync

/// A server in this process, and replicas with engines.
struct EngineWorld {
    let server: SyncServer

    static let schema = Schema(version: 1) {
        Table("notes").synced(SyncRules(fields: ["votes": .counter, "text": .ask]))
        Table("local")
    }

    init(_ configuration: SyncServerConfiguration = SyncServerConfiguration()) async throws {
        let store = try await Store(storage: MemoryStorage(), schema: Self.schema)
        server = try await SyncServer(store: store, configuration: configuration)
    }

    var transport: LocalTransport { LocalTransport(server: server, codes: true) }

    /// An engine over a store of its own, at which no time passes.
    func engine(
        on store: Store? = nil,
        transport: (any SyncTransport)? = nil,
        account: String? = nil,
        token: SyncEngine.TokenProvider? = nil
    ) async throws -> SyncEngine {
        var configuration = SyncConfiguration()
        configuration.debounce = .zero
        let fresh = try await Store(storage: MemoryStorage(), schema: Self.schema)
        return try SyncEngine(
            store: store ?? fresh,
            transport: transport ?? self.transport,
            configuration: configuration,
            account: account,
            token: token,
            clock: StoppedClock()
        )
    }

    func onServer(_ id: RecordID) throws -> JSONObject? {
        try server.store.read { try $0.get(id, in: "notes") }
    }
}

extension SyncEngine {
    func put(_ object: JSONObject) async throws {
        try await store.write { try $0.put(object, in: "notes") }
    }

    func get(_ id: RecordID) throws -> JSONObject? {
        try store.read { try $0.get(id, in: "notes") }
    }
}
