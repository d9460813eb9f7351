import Foundation
import Holdfast

struct Note: Record {
    static let table: TableName = "notes"
    var id = RecordID.make()
    var title = ""
    var body = ""
    var updatedAt = Date.now
    var isPinned = false
}

let schema = Schema(version: 1) {
    Table(Note.self) {
        Index("updatedAt")
        Index("isPinned", "updatedAt")
    }
}

let store = try await Store.open(at: "tour.holdfast", schema: schema)

try await store.write { transaction in
    try transaction.put(Note(id: "bread", title: "Bread", body: "500 g flour"))
}

let newest = Note.query.order(by: "updatedAt", .descending).limit(50)
let latest = try store.read { transaction in
    try transaction.fetch(newest)
}
print("read:", latest.map(\.title))

for try await notes in store.values(newest) {
    print("observed:", notes.map(\.title))
    if notes.count == 2 { break }
    try await store.write { transaction in
        try transaction.put(Note(id: "soup", title: "Soup"))
    }
}
try await store.close()
