import Foundation
import Holdfast

struct Note: Record {
    static let table: TableName = "notes"
    var id = RecordID.make()
    var title = ""
    var body = ""
    var isPinned = false
    var updatedAt = Date.now
}

/// The data layer of a notes app, whole: what its views and buttons call.
struct Notes: Sendable {
    static let schema = Schema(version: 1) {
        Table(Note.self) {
            Index("isPinned", "updatedAt")
            Index(words: "title", "body")
        }
    }
    /// Pinned notes first, then the newest.
    static let listed = Note.query.order(by: "isPinned", .descending)
        .order(by: "updatedAt", .descending)

    /// A note as it was before a change; `nil` where there was none.
    typealias Undo = (id: RecordID, before: JSONObject?)

    let store: Store

    /// The list, now and after each change, with what the user searches for.
    func list(matching text: String = "") -> StoreValues<Note> {
        store.values(Self.listed.search(text, in: "title", "body").limit(50))
    }

    /// More of a list that is scrolled; it stays right while notes come and go.
    func page(after cursor: QueryCursor? = nil) throws -> QueryPage<Note> {
        try store.read { try $0.page(Self.listed.limit(20).after(cursor)) }
    }

    @discardableResult func save(_ note: Note) async throws -> Undo {
        try await change(note.id) { _ = try $0.put(note) }
    }

    @discardableResult func pin(_ id: RecordID, _ isPinned: Bool = true) async throws -> Undo {
        try await change(id) { try $0.patch(id, in: "notes", with: ["isPinned": .bool(isPinned)]) }
    }

    @discardableResult func delete(_ id: RecordID) async throws -> Undo {
        try await change(id) { _ = try $0.delete(id, in: "notes") }
    }

    @discardableResult func undo(_ undo: Undo) async throws -> Undo {
        try await change(undo.id) { transaction in
            try transaction.delete(undo.id, in: "notes")
            if let before = undo.before { try transaction.put(before, in: "notes") }
        }
    }

    private func change(
        _ id: RecordID,
        _ body: sending (inout WriteTransaction) throws -> Void
    ) async throws -> Undo {
        try await store.write { transaction in
            let before = try transaction.get(id, in: "notes")
            try body(&transaction)
            return (id, before)
        }
    }
}

let notes = Notes(store: try await Store.open(at: "notes.holdfast", schema: Notes.schema))
try await notes.save(Note(title: "Soup", body: "2 leeks"))
let bread = Note(title: "Bread", body: "500 g flour")
try await notes.save(bread)
try await notes.undo(notes.delete(bread.id))
try await notes.pin(bread.id)
let found = try await notes.list(matching: "flo").first { _ in true }
print(found?.map(\.title) ?? [])
