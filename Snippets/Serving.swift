import Holdfast
import HoldfastServer
import HoldfastSync

let schema = Schema(version: 1) {
    Table("tasks").synced()
}

/// Who lives where.
let households = ["ann": "mill-lane", "bob": "mill-lane", "carla": "high-street"]

var configuration = SyncServerConfiguration()

// A task is in the scope of its household, and each person sees the one of theirs.
configuration.scope = { _, task, _ in ScopeName(task["household"]?.stringValue ?? "nobody") }
configuration.scopes = { person in households[person.id].map { [ScopeName($0)] } ?? [] }

// Only who made a task may delete it, and every task has a title.
configuration.authorize = { person, operation, task in
    guard operation.kind == .delete, task?["by"]?.stringValue != person.id else { return nil }
    return SyncProblem(type: ProblemType.forbidden, detail: "This is somebody else's task.")
}
configuration.validate = { _, task, _ in
    guard task["title"]?.stringValue?.isEmpty ?? true else { return nil }
    return SyncProblem(type: "no-title", detail: "A task needs a title.", pointer: "/title")
}

// What a device asks for by `perform` is done here, once.
configuration.actions["finish"] = { call, transaction in
    let fields: JSONObject = ["isDone": true, "finishedBy": .string(call.principal.id)]
    try transaction.patch(call.record.id, in: "tasks", with: fields)
}

let server = try await SyncServer(
    store: Store(storage: MemoryStorage(), schema: schema),
    configuration: configuration
)

func device(of person: String) async throws -> SyncEngine {
    let store = try await Store(storage: MemoryStorage(), schema: schema)
    let transport = LocalTransport(server: server)
    let engine = try SyncEngine(
        store: store,
        transport: transport,
        account: person,
        token: { _ in person }
    )
    engine.start()
    return engine
}

let ann = try await device(of: "ann")
try await ann.store.write { transaction in
    let task: JSONObject = ["id": "1", "title": "Bread", "household": "mill-lane", "by": "ann"]
    try transaction.put(task, in: "tasks")
}
try await ann.waitForSync()

let bob = try await device(of: "bob")
try await bob.sync()
try await bob.store.write { transaction in
    try transaction.perform("finish", of: "1", in: "tasks") { $0["isDone"] = true }
}
try await bob.sync()
try await bob.store.write { try $0.delete("1", in: "tasks") }
try await bob.sync()
for change in try bob.attention() {
    print(change.kind, "is refused:", change.problem?.detail ?? "")
    try await bob.discard(change.id)
}

let carla = try await device(of: "carla")
for (name, engine) in [("ann", ann), ("bob", bob), ("carla", carla)] {
    try await engine.sync()
    let task = try engine.store.read { try $0.get("1", in: "tasks") }
    print(name, task?["finishedBy"]?.stringValue ?? "sees nothing")
}

// The server writes too, and reads with ordinary queries.
try await server.write { transaction in
    try transaction.put(["title": "Salt", "household": "high-street"], of: "2", in: "tasks")
}
try await carla.sync()
print("carla has", try carla.store.read { try $0.count(of: "tasks") }, "task")
print("the server has", try server.store.read { try $0.count(of: "tasks") }, "tasks")

/// Opens a server over a journal; `isRestored` says that it comes from a backup.
func openServer(at path: String, isRestored: Bool) async throws -> SyncServer {
    let store = try await Store.open(at: path, schema: schema)
    let server = try await SyncServer(store: store, configuration: configuration)
    if isRestored { try await server.beginEpoch() }
    return server
}

/// What a server does once a day.
func lookAfter(_ server: SyncServer) async throws {
    try await server.purgeTombstones(olderThan: .seconds(90 * 86_400))
    try await server.collectKeys()
}

for engine in [ann, bob, carla] { await engine.stop() }
