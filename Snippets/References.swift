import Holdfast

struct Folder: Record {
    static let table: TableName = "folders"
    var id = RecordID.make()
    var name = ""
}

struct Note: Record {
    static let table: TableName = "notes"
    var id = RecordID.make()
    var slug = ""
    var folder: RecordID?
    var author: RecordID?
}

let schema = Schema(version: 1) {
    Table(Folder.self)
    Table(Note.self) {
        Index("slug", unique: true)
        Reference("folder", to: Folder.self, onDelete: .cascade)
        Reference("author", to: "people", onDelete: .restrict)
    }
    Table("people")
}
let store = try await Store(storage: MemoryStorage(), schema: schema)

// The order of the writes does not matter: references are checked when the closure ends.
try await store.write { transaction in
    try transaction.put(Note(id: "n1", slug: "bread", folder: "recipes", author: "ada"))
    try transaction.put(Folder(id: "recipes", name: "Recipes"))
    try transaction.put(["id": "ada", "name": "Ada"], in: "people")
}

do {
    try await store.write { transaction in
        try transaction.put(Note(id: "n2", slug: "bread"))
    }
} catch let error as StoreError where error.code == .uniqueConflict {
    print(error.code, "with", error.otherID?.text ?? "")
}

do {
    try await store.write { transaction in
        try transaction.put(Note(id: "n3", slug: "soup", folder: "nowhere"))
    }
} catch let error as StoreError where error.code == .missingReference {
    print(error.code, "in", error.field ?? "")
}

do {
    try await store.write { transaction in
        try transaction.delete("ada", in: "people")
    }
} catch let error as StoreError where error.code == .stillReferenced {
    print(error.code, "by", error.otherID?.text ?? "")
}

try await store.write { transaction in
    try transaction.delete(Folder.self, "recipes")
}
print("notes:", try store.read { try $0.count(of: "notes") })
