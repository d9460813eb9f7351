import Holdfast
import HoldfastSync

/// A note.
struct Note: Record {
    static let table: TableName = "notes"
    var id = RecordID.make()
    var title = ""
    var isDone = false
    var stars = 0
    var createdAt = 0.0

    static let schema = Schema(version: 1) {
        Table(Note.self) { Index("createdAt") }
            .synced(SyncRules(fields: ["stars": .counter]))
    }

    static let newestFirst = Note.query.order(by: "createdAt", .descending)
}
