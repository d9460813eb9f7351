import Holdfast
import HoldfastStorage
import HoldfastSync
import HoldfastTesting

/// A device of the demonstration: an app's store, on a disk whose power can be lost, and its engine.
final class DemoReplica {
    static let schema = Schema(version: 1) {
        Table(Demo.table).synced(SyncRules(fields: ["baked": .counter]))
    }

    private let name: String
    private let server: FakeServer
    private var disk = SimulatedDisk()
    private(set) var store: Store
    private var engine: SyncEngine

    init(_ name: String, _ server: FakeServer) async throws {
        self.name = name
        self.server = server
        (store, engine) = try await Self.open(disk, server)
    }

    private static func open(
        _ disk: SimulatedDisk,
        _ server: FakeServer
    ) async throws -> (Store, SyncEngine) {
        var options = StoreOptions()
        options.journal.fileSystem = disk
        options.journal.reserveBytes = 0
        let store = try await Store.open(at: "recipes.holdfast", schema: schema, options: options)
        return (store, try SyncEngine(store: store, transport: server.transport()))
    }

    /// What the engine says, for a person.
    private(set) var status = ""

    /// The changes that wait.
    var pendingCount: Int { get throws { engine.status.pending } }

    /// A record's text.
    func text(of id: RecordID) throws -> String {
        let record = try store.read { try $0.get(id, in: Demo.table) }
        return record.map { "\(JSONValue.object($0))" } ?? "nothing"
    }

    /// Writes.
    func edit(_ body: @Sendable (inout WriteTransaction) throws -> Void) async throws {
        try await store.write { transaction in try body(&transaction) }
        status = engine.status.description
    }

    /// Changes a record.
    func change(
        _ id: RecordID,
        _ body: @Sendable (inout JSONObject) -> Void
    ) async throws {
        try await store.write { transaction in
            guard var record = try transaction.get(id, in: Demo.table) else { return }
            body(&record)
            try transaction.put(record, in: Demo.table)
        }
        status = engine.status.description
    }

    /// Begins to sync, and does not wait.
    func begin() {
        engine.start()
        engine.notify(.manual)
    }

    /// Syncs once.
    func sync() async throws {
        engine.start()
        try await engine.waitForSync()
        status = engine.status.description
        await engine.stop()
    }

    /// Loses its power, and starts again with what is durable.
    ///
    /// - Parameter meanwhile: What happens when the power is gone; it finds no process any more.
    /// - Throws: `StoreError`.
    func losePower(_ meanwhile: () -> Void) async throws {
        let image = disk.image()
        try await store.close()
        meanwhile()
        await engine.stop()
        disk = image.afterPowerLoss(seed: 1)
        (store, engine) = try await Self.open(disk, server)
        status = engine.status.description
    }

    /// The decisions that were made about records, in the order of their ids.
    func ledger() throws -> [LedgerEntry] {
        try store.read { try $0.fetch(Query(LedgerEntry.table)) }
            .compactMap { try? LedgerEntry(json: $0) }
    }

    /// Closes everything.
    func end() async {
        await engine.stop()
        try? await store.close()
    }
}
