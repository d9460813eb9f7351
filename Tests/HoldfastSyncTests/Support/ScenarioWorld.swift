import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastTesting

/// A server in this process, and replicas of it whose requests a test holds in its hand.
final class ScenarioWorld {
    private(set) var server: FakeServer
    let schema: Schema
    private var replicas: UInt64 = 0

    static let schema = Schema(version: 1) {
        Table("folders").synced()
        Table("notes") { Reference("folder", to: "folders", onDelete: .cascade) }
            .synced(
                SyncRules(fields: ["votes": .counter, "asked": .ask, "best": .maximum])
            )
        Table("messages").synced(SyncRules(kind: .immutable))
        Table("orders").synced(SyncRules(kind: .serverAuthoritative))
    }

    init(
        _ configuration: SyncServerConfiguration = SyncServerConfiguration(),
        schema: Schema = ScenarioWorld.schema,
        knowsSchema: Bool = true,
        codesMessages: Bool = true
    ) async throws {
        var configuration = configuration
        configuration.ids = Self.ids(seed: 1)
        self.schema = schema
        server = try await FakeServer(
            schema: knowsSchema ? schema : nil,
            configuration: configuration,
            codesMessages: codesMessages
        )
    }

    /// A server as it was at a moment, and goes on from there: no other history, but the same.
    init(of backup: FakeServer.Backup) async throws {
        schema = Self.schema
        server = try await FakeServer(continuing: backup, schema: schema)
        replicas = 1_000
    }

    /// The server is stopped, and goes on with another version of its app.
    func update(to schema: Schema, _ replicas: [Replica]) async throws {
        server = try await FakeServer(continuing: server.backup(), schema: schema)
        for replica in replicas { replica.server = server }
    }

    /// A replica that has begun, and has sent its first request.
    func replica(
        on storage: any Storage = MemoryStorage(),
        schema: Schema? = nil,
        token: String? = nil,
        _ configure: (inout SyncConfiguration) -> Void = { _ in }
    ) async throws -> Replica {
        var configuration = SyncConfiguration()
        configure(&configuration)
        let replica = try await Replica(
            server: server,
            principal: Principal("user"),
            storage: storage,
            schema: schema ?? self.schema,
            configuration: configuration,
            seed: nextSeed(),
            credentials: SyncCredentials(token: token)
        )
        try await replica.start()
        return replica
    }

    /// A replica whose device has this clock.
    func replica(withClock clock: @escaping @Sendable () -> Int64) async throws -> Replica {
        let replica = try await Replica(
            server: server,
            principal: Principal("user"),
            storage: MemoryStorage(),
            schema: schema,
            configuration: SyncConfiguration(),
            seed: nextSeed(),
            wallClock: clock
        )
        try await replica.start()
        return replica
    }

    private func nextSeed() -> UInt64 {
        replicas += 1
        return replicas
    }

    /// A replica that has received what there is.
    func syncedReplica(
        _ configure: (inout SyncConfiguration) -> Void = { _ in }
    ) async throws -> Replica {
        let replica = try await replica(configure)
        try await replica.sync()
        return replica
    }

    static func ids(seed: UInt64) -> RecordIDGenerator {
        let random = SharedRandom(seed: seed)
        return RecordIDGenerator(clock: { 1_767_225_600_000 }, randomness: { random.next() })
    }

    // MARK: The server

    func record(_ id: RecordID, in table: TableName = "notes") throws -> JSONObject? {
        try server.record(id, in: table)
    }

    /// What another device, which is always online, writes.
    func serverPut(_ object: JSONObject, in table: TableName = "notes") async throws {
        try await server.write { transaction in
            guard case .string(let id)? = object["id"] else { return }
            try transaction.put(object, of: RecordID(id), in: table)
        }
    }

    func serverPatch(
        _ id: RecordID,
        _ fields: JSONObject,
        removing removed: [String] = [],
        in table: TableName = "notes"
    ) async throws {
        try await server.write {
            _ = try $0.patch(id, in: table, with: fields, removing: removed)
        }
    }

    func serverDelete(_ id: RecordID, in table: TableName = "notes") async throws {
        try await server.write { _ = try $0.delete(id, in: table) }
    }

    /// The server's records of a table.
    func records(in table: TableName = "notes") throws -> [JSONObject] {
        try server.store.read { try $0.records(in: table) }
    }

    /// The decisions that the server has kept.
    var ledger: [LedgerEntry] {
        get throws {
            try records(in: LedgerEntry.table).map { try LedgerEntry(json: $0) }
        }
    }
}

extension Transaction where Self: ~Copyable {
    /// The records of a table, by their ids.
    func records(in table: TableName) throws -> [JSONObject] {
        var ids: [RecordID] = []
        try scanDocuments(in: table, after: nil) { id, _ in
            ids.append(id)
            return true
        }
        return try ids.compactMap { try get($0, in: table) }
    }
}
