import Holdfast
import HoldfastTesting

struct Draft: Record {
    static let table: TableName = "drafts"
    var id = RecordID.make()
    var text = ""
}

let disk = SimulatedDisk()
var options = StoreOptions()
options.journal.fileSystem = disk
options.journal.scheduler = HeldScheduler()
let store = try await Store.open(at: "drafts.holdfast", options: options)

try await store.write { transaction in
    try transaction.put(Draft(id: "letter", text: "Dear Ada,"))
}
try await store.write(.buffered) { transaction in
    try transaction.put(Draft(id: "typing", text: "I wri"))
}

/// The drafts that are there after a crash.
func drafts(on disk: SimulatedDisk) async throws -> [String] {
    var options = StoreOptions(access: .write)
    options.journal.fileSystem = disk
    let store = try await Store.open(at: "drafts.holdfast", options: options)
    let ids = try store.read { transaction in
        try transaction.fetch(Draft.query).map(\.id.text)
    }
    try await store.close()
    return ids
}

let moment = disk.image()
print("process killed:", try await drafts(on: moment.afterKill()))
var nothing = CrashEnumerator()  // its first outcome keeps nothing that was not synced
let dark = moment.afterPowerLoss(using: &nothing)
print("power lost:", try await drafts(on: dark))

// A disk that fails while it syncs.
disk.inject(DiskFault(.failedSync(.pagesKept), on: [.sync]))
do {
    try await store.write { transaction in
        try transaction.put(Draft(id: "letter", text: "Dear Ada, I write to you"))
    }
} catch let error as StoreError where error.code == .outcomeUnknown {
    // The commit may be there after the next open, or not: ask before writing it again.
    print("failed sync:", error.code)
}

let small = SimulatedDisk(capacity: 2 << 20)
options.journal.fileSystem = small
let other = try await Store.open(at: "drafts.holdfast", options: options)
do {
    try await other.write { transaction in
        try transaction.put(Draft(text: String(repeating: "long ", count: 1 << 20)))
    }
} catch let error as StoreError where error.code == .diskFull {
    print("disk full:", try other.read { try $0.count(of: Draft.table) }, "drafts")
    small.capacity = nil
}
try await other.write { transaction in
    try transaction.put(Draft(text: "short"))
}
try await other.close()
