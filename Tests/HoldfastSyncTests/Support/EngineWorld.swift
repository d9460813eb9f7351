import Holdfast
import HoldfastServer
import HoldfastSync
import HoldfastTesting

/// A server, a clock that stands still, and replicas with engines.
struct EngineWorld {
    let server: FakeServer
    let clock = VirtualClock()

    static let schema = Schema(version: 1) {
        Table("folders").synced()
        Table("notes") { Reference("folder", to: "folders", onDelete: .nullify) }
            .synced(SyncRules(fields: ["votes": .counter, "text": .ask]))
        Table("local")
    }

    /// A world whose server refuses records with the field `bad`.
    init() async throws {
        var configuration = SyncServerConfiguration()
        configuration.validate = { _, object, _ in
            object["bad"] == nil ? nil : SyncProblem(type: ProblemType.invalid, detail: "bad")
        }
        server = try await FakeServer(schema: Self.schema, configuration: configuration)
    }

    func store() async throws -> Store {
        try await Store(storage: MemoryStorage(), schema: Self.schema)
    }

    /// An engine over a store, a fresh one by default.
    func engine(
        on store: Store? = nil,
        transport: (any SyncTransport)? = nil,
        account: String? = nil,
        token: SyncEngine.TokenProvider? = nil
    ) async throws -> SyncEngine {
        var configuration = SyncConfiguration()
        configuration.debounce = .zero
        let fresh = try await self.store()
        return try SyncEngine(
            store: store ?? fresh,
            transport: transport ?? server.transport(),
            configuration: configuration,
            account: account,
            token: token,
            clock: clock
        )
    }

    /// A started engine.
    func started(account: String? = nil) async throws -> SyncEngine {
        let engine = try await engine(account: account)
        engine.start()
        return engine
    }

    func onServer(_ id: RecordID, in table: TableName = "notes") throws -> JSONObject? {
        try server.record(id, in: table)
    }

    /// Lets time pass, whenever nothing else is under way, until the engine's status is as wanted.
    func letTimePass(
        for engine: SyncEngine,
        until isWanted: (SyncStatus) throws -> Bool
    ) async throws {
        while true {
            let status = engine.status
            if try isWanted(status) { return }
            if status.phase == .idle, let delay = status.nextAttempt, delay > .zero {
                await clock.advance(by: delay)
            } else {
                await Task.yield()
            }
        }
    }

    /// The records that were pushed, a list for each request.
    var pushed: [[RecordID]] {
        get throws {
            try server.exchanges.compactMap { exchange in
                guard case .push(let request) = exchange.request else { return nil }
                return try request.operations.map { try PushOperation(text: $0.text).record.id }
            }
        }
    }
}

extension SyncEngine {
    func put(_ object: JSONObject, in table: TableName = "notes") async throws {
        try await store.write { try $0.put(object, in: table) }
    }

    func get(_ id: RecordID, in table: TableName = "notes") throws -> JSONObject? {
        try store.read { try $0.get(id, in: table) }
    }

    /// Waits until a status is as wanted, without any doing.
    func wait(until isWanted: (SyncStatus) throws -> Bool) async throws {
        for await status in statuses() where try isWanted(status) { return }
    }
}
