import Holdfast

struct Note: Record {
    static let table: TableName = "notes"
    var id = RecordID.make()
    var title = ""
    var stars = 0
}

let store = try await Store.open(at: "notes.holdfast")
try await store.write { transaction in
    try transaction.put(Note(id: "bread", title: "Bread", stars: 5))
    try transaction.put(Note(id: "soup", title: "Soup", stars: 3))
}
let best = try store.read { transaction in
    try transaction.fetch(Note.query.where("stars", .isAtLeast, 4).order(by: "title"))
}
print(best.map(\.title))
try await store.close()
