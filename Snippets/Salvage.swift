import Holdfast
import HoldfastTesting

let disk = SimulatedDisk()
var options = StoreOptions()
options.journal.fileSystem = disk
let store = try await Store.open(at: "store", options: options)
for number in 1...100 as ClosedRange<Int64> {
    try await store.write(.buffered) { transaction in
        try transaction.put(["id": .integer(number), "n": .integer(number)], in: "numbers")
    }
}
try await store.close()

// A bit of the journal flips, in the middle of what was acknowledged.
try disk.flipBit(8 * 12_000, of: "store/0000000000000001.segment")

do {
    _ = try await Store.open(at: "store", options: options)
} catch let error as StoreError {
    print("open:", error.code, "at offset", error.offset ?? 0)
}

let report = try JournalVerifier.verify(at: "store", configuration: options.journal)
for finding in report.findings { print("verify:", finding.kind, "in", finding.file) }

let saved = try await JournalSalvage.salvage(
    from: "store",
    to: "saved",
    configuration: options.journal
)
print("salvage:", saved.changes, "changes")
let again = try await Store.open(at: "saved", options: options)
print("records:", try again.read { try $0.count(of: "numbers") }, "of 100")
try await again.close()
