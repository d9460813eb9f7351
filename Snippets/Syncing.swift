import Holdfast
import HoldfastServer
import HoldfastSync

struct Note: Record {
    static let table: TableName = "notes"
    var id = RecordID.make()
    var title = ""
    var body = ""
    var likes = 0
}

let schema = Schema(version: 1) {
    Table(Note.self) { Index("title") }
        .synced(SyncRules(fields: ["body": .text, "likes": .counter]))
}

// The server runs in this process; that of an app runs elsewhere, behind another transport.
let server = try await SyncServer(store: Store(storage: MemoryStorage(), schema: schema))

func device() async throws -> SyncEngine {
    let store = try await Store(storage: MemoryStorage(), schema: schema)
    let engine = try SyncEngine(store: store, transport: LocalTransport(server: server))
    engine.start()
    return engine
}

let (phone, laptop) = (try await device(), try await device())
let note = Note(id: "bread", title: "Bread", body: "500 g flour\n10 g salt\n")
try await phone.store.write { try $0.put(note) }
try await phone.waitForSync()
try await laptop.sync()

// Both edit the note, and neither has seen the other's edit.
await phone.stop()
await laptop.stop()
try await phone.store.write { transaction in
    try transaction.patch("bread", in: "notes", with: ["body": "600 g flour\n10 g salt\n"])
    try transaction.increment("likes", of: "bread", in: "notes")
}
try await laptop.store.write { transaction in
    try transaction.patch("bread", in: "notes", with: ["body": "500 g flour\n12 g salt\n"])
    try transaction.increment("likes", of: "bread", in: "notes")
}
print(phone.status)

for engine in [phone, laptop, phone] {
    engine.start()
    try await engine.waitForSync()
}
for engine in [phone, laptop] {
    let note = try engine.store.read { try $0.get(Note.self, "bread") }
    print(note?.body.split(separator: "\n") ?? [], note?.likes ?? 0, engine.status)
}

// What the server applies together or not at all.
try await phone.store.write(atomicOnServer: true) { transaction in
    try transaction.put(Note(id: "soup", title: "Soup"))
    try transaction.delete("bread", in: "notes")
}

for change in try phone.pendingChanges() {
    print(change.kind, change.record.id, change.isSent ? "sent" : "waits")
}
await phone.stop()
await laptop.stop()
