import Holdfast
import HoldfastServer
import HoldfastSync
import HoldfastTesting

let schema = Schema(version: 1) {
    Table("orders").synced(SyncRules(fields: ["address": .ask]))
}

var configuration = SyncServerConfiguration()
configuration.validate = { _, order, _ in
    guard order["address"] == "" else { return nil }
    return SyncProblem(
        type: "no-address",
        detail: "An order needs an address.",
        pointer: "/address"
    )
}
let server = try await FakeServer(schema: schema, configuration: configuration)
let store = try await Store(storage: MemoryStorage(), schema: schema)
let engine = try SyncEngine(store: store, transport: server.transport())
engine.start()

// The server refuses an order. It stays here, and everything else goes on.
try await store.write { transaction in
    try transaction.put(["id": "1", "address": ""], in: "orders")
    try transaction.put(["id": "2", "address": "Mill Lane 3"], in: "orders")
}
try await engine.sync()
print(engine.status)
for change in try engine.attention() {
    print(change.record.id, change.problem?.detail ?? "")
}

// Editing the record is the retry; engine.discard(change.id) would give the change up.
try await store.write { try $0.patch("1", in: "orders", with: ["address": "Mill Lane 5"]) }
try await engine.waitForSync()
print(engine.status)

// The same address is changed here and elsewhere, and its policy is to ask.
await engine.stop()
try await server.write { transaction in
    _ = try transaction.put(["address": "High Street 1"], of: "2", in: "orders")
}
try await store.write { try $0.patch("2", in: "orders", with: ["address": "Mill Lane 4"]) }
engine.start()
try await engine.sync()
for conflict in try engine.conflicts() {
    print(conflict.local?["address"] ?? "", "or", conflict.remote?["address"] ?? "")
    try await engine.resolve(conflict.record, choosing: .remote)
}
try await engine.waitForSync()

// What was discarded comes back in the ledger, to every replica, and can be brought back.
try await engine.sync()
for entry in try engine.ledger() {
    print(entry.rule, entry.discarded ?? .null)
    try await engine.undo(entry.id)
}
try await engine.waitForSync()
print(try server.record("2", in: "orders")?["address"] ?? .null)
await engine.stop()
