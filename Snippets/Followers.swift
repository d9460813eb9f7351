import Holdfast

// One process has the store open for writing.
let writer = try await Store.open(at: "shared.holdfast")

// Another one, here the same, opens it for reading and follows.
let reader = try await Store.open(at: "shared.holdfast", options: StoreOptions(access: .read))
let start = try reader.sequenceNumber
try await writer.write { transaction in
    try transaction.put(["id": "bread", "title": "Bread"], in: "notes")
}
let seen = try await reader.waitForCommit(after: start)
print("seen:", try reader.read { try $0.count(of: "notes") }, "note at commit", seen)

do {
    try await reader.write { transaction in
        try transaction.delete("bread", in: "notes")
    }
} catch let error as StoreError {
    print("reader:", error.code)
}

do {
    _ = try await Store.open(at: "shared.holdfast")
} catch let error as StoreError {
    print("second writer:", error.code)
}
try await reader.close()
try await writer.close()
