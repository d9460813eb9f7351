import HoldfastStorage

let storage: any Storage = try await JournalStorage.open(at: "bytes.journal")

// Keys and values are bytes; keys order as unsigned bytes.
try await storage.write(.synced) { transaction in
    for (key, value) in [("b/1", "one"), ("b/2", "two"), ("c/1", "three")] {
        try transaction.put(Array(value.utf8).span.bytes, for: Array(key.utf8).span.bytes)
    }
}

let snapshot = try storage.snapshot()
print(snapshot.count, "keys at commit", snapshot.sequenceNumber)
try snapshot.scan(.prefix(Array("b/".utf8)), .forward) { key, value in
    print(key.byteCount, value.byteCount)
    return true
}

// Indexes are derived from the records, by a pure function, and never stored.
let byLength = IndexDefinition(name: "length", version: 1) { _, value, emit in
    emit([UInt8(truncatingIfNeeded: value.byteCount)].span.bytes)
}
try await storage.setIndexes([byLength])
print(try storage.snapshot().countIndex("length", in: .exactly([3])), "values of 3 bytes")

// The change feed gives each commit from any point that is still held.
for commit in try storage.changes(after: .zero, limit: 10) {
    print("commit \(commit.sequenceNumber):", commit.changes.count, "changes")
}
try await storage.close()
