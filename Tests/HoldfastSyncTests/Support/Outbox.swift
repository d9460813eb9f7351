import Holdfast
import HoldfastSync

/// A replica's store and what waits in it, as tests look at it.
struct Outbox {
    let store: Store

    static let schema = Schema(version: 3) {
        Table("folders").synced()
        Table("notes") { Reference("folder", to: "folders", onDelete: .cascade) }
            .synced(SyncRules(fields: ["votes": .counter]))
        Table("messages").synced(SyncRules(kind: .immutable))
        Table("orders").synced(SyncRules(kind: .serverAuthoritative))
        Table("local")
    }

    init(_ storage: MemoryStorage = MemoryStorage(), schema: Schema = schema) async throws {
        let ids = RecordIDGenerator(clock: { 1_000 }, randomness: { 7 })
        store = try await Store(storage: storage, schema: schema, ids: ids)
    }

    var mutations: [Mutation] {
        get throws {
            try store.read { transaction in
                var mutations: [Mutation] = []
                try transaction.scanMutations { mutation in
                    mutations.append(mutation)
                    return true
                }
                return mutations
            }
        }
    }

    var changes: [Mutation.Change] { get throws { try mutations.map(\.change) } }

    func state(_ id: RecordID, in table: TableName = "notes") throws -> SyncRecord? {
        try store.read { try $0.syncRecord(RecordReference(table, id)) }
    }

    /// Writes what a server has, as a page of changes would.
    func receive(
        _ object: JSONObject,
        _ id: RecordID,
        in table: TableName = "notes",
        version: Int64 = 1
    ) async throws {
        try await store.writeUnrecorded { transaction in
            try transaction.putDocument(object, of: id, in: table)
            var state = SyncRecord()
            state.version = RecordVersion(version)
            state.isDeleted = false
            try transaction.set(state, of: RecordReference(table, id))
        }
    }

    /// Makes the record's mutations frozen ones, as sending does.
    func freeze(_ id: RecordID, in table: TableName = "notes") async throws {
        try await change(id, in: table) { mutation in
            mutation.state = .sent(client: ClientID("c"), sequence: 1, text: [0x7B, 0x7D])
        }
    }

    /// Makes the record's mutations refused ones.
    func refuse(_ id: RecordID, in table: TableName = "notes") async throws {
        try await change(id, in: table) { mutation in
            mutation.state = .attention(SyncProblem(type: "invalid", detail: "no"))
        }
    }

    private func change(
        _ id: RecordID,
        in table: TableName,
        _ body: @escaping @Sendable (inout Mutation) -> Void
    ) async throws {
        try await store.writeUnrecorded { transaction in
            let state = try transaction.syncRecord(RecordReference(table, id)) ?? SyncRecord()
            for mutation in try transaction.mutations(of: state) {
                var mutation = mutation
                body(&mutation)
                try transaction.set(mutation)
            }
        }
    }
}
