import Foundation
import Holdfast

/// The note as an app of Holdfast declares it.
struct NoteRecord: Record {
    static let table: TableName = "notes"

    var id = RecordID.make()
    var title = ""
    var body = ""
    var updatedAt = Date.now
    var version = 0
    var isPinned = false
    var isArchived = false
}

extension NoteRecord {
    /// The same note as a record.
    init(_ note: Note) throws {
        self.init(
            id: try RecordID(String(decoding: note.key, as: UTF8.self)),
            title: String(decoding: note.value[Note.title], as: UTF8.self),
            body: String(decoding: note.value[Note.body], as: UTF8.self),
            updatedAt: Date(timeIntervalSince1970: Double(note.updatedAt) / 1_000),
            version: Int(note.version),
            isPinned: note.isPinned,
            isArchived: note.isArchived
        )
    }

    /// The same note as bytes.
    var note: Note {
        Note(
            key: Array(id.text.utf8),
            fields: NoteFields(
                updatedAt: Int64((updatedAt.timeIntervalSince1970 * 1_000).rounded()),
                version: Int64(version),
                isPinned: isPinned,
                isArchived: isArchived,
                title: Array(title.utf8),
                body: Array(body.utf8)
            )
        )
    }

    /// The same note as JSON, as a server takes it.
    var object: JSONObject {
        [
            "id": .string(id.text),
            "title": .string(title),
            "body": .string(body),
            "updatedAt": .date(updatedAt),
            "version": .integer(Int64(version)),
            "isPinned": .bool(isPinned),
            "isArchived": .bool(isArchived),
        ]
    }
}
