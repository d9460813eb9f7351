import Holdfast
import HoldfastTesting

struct Note: Record {
    static let table: TableName = "notes"
    var id = RecordID.make()
    var title = ""
    var isPinned = false
}

/// The part of an app that is tested: it is given its store, and makes none.
struct Notebook: Sendable {
    let store: Store

    func pin(_ id: RecordID) async throws {
        try await store.write { transaction in
            guard var note = try transaction.get(Note.self, id) else { return }
            note.isPinned = true
            try transaction.put(note)
        }
    }

    func pinned() throws -> [Note] {
        try store.read { try $0.fetch(Note.query.where("isPinned", .equals, true)) }
    }
}

/// A store in memory is a new one for each test.
func pinningANoteShowsIt() async throws {
    let notebook = Notebook(store: try await Store(storage: MemoryStorage()))
    try await notebook.store.write { transaction in
        try transaction.put(Note(id: "bread", title: "Bread"))
    }
    try await notebook.pin("bread")
    let titles = try notebook.pinned().map(\.title)
    precondition(titles == ["Bread"])
}
try await pinningANoteShowsIt()
print("pinning a note shows it")

/// Whatever a power loss keeps of it, a note that was saved is there.
func savedNotesSurviveAPowerLoss() async throws {
    let disk = SimulatedDisk()
    var options = StoreOptions()
    options.journal.fileSystem = disk
    options.journal.scheduler = HeldScheduler()
    let store = try await Store.open(at: "notes.holdfast", options: options)
    try await store.write { transaction in
        try transaction.put(Note(id: "bread", title: "Bread"))
    }
    let saved = disk.image()
    try await store.write(.buffered) { transaction in
        try transaction.put(Note(id: "soup", title: "Soup"))
    }

    var losses = 0
    for image in [saved, disk.image()] {
        var outcomes = CrashEnumerator(limits: CrashLimits(independentSectors: 4))
        repeat {
            options.journal.fileSystem = image.afterPowerLoss(using: &outcomes)
            let store = try await Store.open(at: "notes.holdfast", options: options)
            let titles = try store.read { try $0.fetch(Note.query).map(\.title) }
            precondition(titles == ["Bread"] || titles == ["Bread", "Soup"])
            try await store.close()
            losses += 1
        } while outcomes.advance()
    }
    precondition(losses > 2)
}
try await savedNotesSurviveAPowerLoss()
print("saved notes survive a power loss")

/// A full disk leaves what was there, and the app goes on when there is room again.
func aFullDiskLosesNothing() async throws {
    let disk = SimulatedDisk()
    var options = StoreOptions()
    options.journal.fileSystem = disk
    let store = try await Store.open(at: "notes.holdfast", options: options)
    try await store.write { transaction in
        try transaction.put(Note(id: "bread", title: "Bread"))
    }
    disk.capacity = 1 << 20
    let long = String(repeating: "soup ", count: 1 << 20)
    do {
        try await store.write { transaction in
            try transaction.put(Note(id: "soup", title: long))
        }
        preconditionFailure("it found room")
    } catch let error as StoreError where error.code == .diskFull {
        disk.capacity = nil
    }
    try await store.write { transaction in
        try transaction.put(Note(id: "soup", title: long))
    }
    let count = try store.read { try $0.count(of: "notes") }
    precondition(count == 2)
    try await store.close()
}
try await aFullDiskLosesNothing()
print("a full disk loses nothing")

let first = Schema(version: 1) { Table("memos") }
let newest = Schema(version: 2) {
    Table(Note.self) { Index("isPinned") }
}
.migrate("memos are notes", from: 1) { transaction in
    try transaction.moveTable("memos", to: "notes")
}

/// Every store of an old version is migrated, with every record accounted for.
func oldStoresAreMigrated() async throws -> MigrationReport {
    try await MigrationCheck(schemas: [first, newest], crashLimit: 30)
        .fixture(version: 1) { store in
            try await store.write { transaction in
                try transaction.put(["id": "a", "title": "Bread"], in: "memos")
                try transaction.put(["id": "b", "title": "Soup"], in: "memos")
            }
        }
        .expecting(.moved("memos", to: "notes"))
        .checking { store in
            let titles = try store.read { try $0.fetch(Note.query).map(\.title) }
            precondition(titles == ["Bread", "Soup"])
        }
        .run()
}
let report = try await oldStoresAreMigrated()
print("old stores are migrated:", report.records, "records,", report.paths, "path")
