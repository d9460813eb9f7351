import Holdfast
import HoldfastSync
import HoldfastTesting

struct Note: Record {
    static let table: TableName = "notes"
    var id = RecordID.make()
    var title = ""
    var stars = 0
}

let schema = Schema(version: 1) {
    Table(Note.self).synced(SyncRules(fields: ["stars": .counter]))
}

/// The answer to a saved note is lost; it is sent again, and there is one note.
func aLostAnswerMakesNoSecondNote() async throws {
    let server = try await FakeServer(schema: schema)
    server.fail(with: .lostAnswer, of: [.push])
    let store = try await Store(storage: MemoryStorage(), schema: schema)
    var configuration = SyncConfiguration()
    configuration.backoffBase = .milliseconds(1)
    let engine = try SyncEngine(
        store: store,
        transport: server.transport(),
        configuration: configuration
    )
    engine.start()
    try await store.write { transaction in
        try transaction.put(Note(id: "bread", title: "Bread"))
    }
    try await engine.waitForSync()
    let count = try server.store.read { try $0.count(of: Note.table) }
    precondition(count == 1)
    await engine.stop()
}
try await aLostAnswerMakesNoSecondNote()
print("one note, although its answer was lost")

/// Another device's edit arrives while this one's is on its way: both are kept.
func editsOfTwoFieldsMeet() async throws {
    let server = try await FakeServer(schema: schema)
    let store = try await Store(storage: MemoryStorage(), schema: schema)
    let engine = try SyncEngine(store: store, transport: server.transport())
    engine.start()
    try await store.write { transaction in
        try transaction.put(Note(id: "bread", title: "Bread"))
    }
    try await engine.waitForSync()

    server.fail(with: .heldRequest, of: [.push])
    try await store.write { transaction in
        try transaction.put(Note(id: "bread", title: "Rye bread"))
    }
    await server.waitUntilHeld()
    try await server.write { transaction in
        try transaction.patch("bread", in: Note.table, with: ["stars": 3])
    }
    server.release()
    try await engine.waitForSync()
    let note = try store.read { try $0.get(Note.self, "bread") }
    precondition(note?.title == "Rye bread" && note?.stars == 3)
    await engine.stop()
}
try await editsOfTwoFieldsMeet()
print("both edits are there")

/// Whatever happens to three devices and their server, they are equal in the end.
let simulation = Simulation(
    schema: schema,
    options: SimulationOptions(replicas: 3, operations: 20)
) {
    SimulatedOperation("writes a note", weight: 2) { transaction, person in
        try transaction.put(Note(id: person.id(), title: person.word()))
    }
    SimulatedOperation("renames a note") { transaction, person in
        guard var note = try person.choose(Note.self, in: transaction) else { return }
        note.title = person.word()
        try transaction.put(note)
    }
    SimulatedOperation("likes a note", weight: 2) { transaction, person in
        guard var note = try person.choose(Note.self, in: transaction) else { return }
        note.stars += 1
        try transaction.put(note)
    }
    SimulatedOperation("throws a note away") { transaction, person in
        guard let note = try person.choose(Note.self, in: transaction) else { return }
        try transaction.delete(Note.self, note.id)
    }
}
let report = try await simulation.run(seeds: 1...4)
print("\(report.runs) lives of three devices and their server")
