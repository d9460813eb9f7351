import Holdfast

struct Note: Record {
    static let table: TableName = "notes"
    var id = RecordID.make()
    var title = ""
    var body = ""
}

let schema = Schema(version: 1) {
    Table(Note.self) {
        Index(words: "title", "body")
    }
}
let store = try await Store(storage: MemoryStorage(), schema: schema)
try await store.write { transaction in
    try transaction.put(Note(title: "Bread", body: "Flour, water, a little salt"))
    try transaction.put(Note(title: "Crème brûlée", body: "Cream, sugar, vanilla"))
    try transaction.put(Note(title: "Shopping", body: "Brown sugar and flour"))
}

for typed in ["flour", "su", "creme", "sugar fl", "bread "] {
    let found = try store.read { transaction in
        try transaction.fetch(Note.query.search(typed, in: "title", "body").order(by: "title"))
    }
    print("\(typed):", found.map(\.title))
}
