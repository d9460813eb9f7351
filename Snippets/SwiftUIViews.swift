#if canImport(SwiftUI)
import Holdfast
import SwiftUI

struct Note: Record {
    static let table: TableName = "notes"
    var id = RecordID.make()
    var title = ""
}

struct NoteList: View {
    let notes: LiveQuery<Note>  // LiveQuery(Note.query.order(by: "title"), in: store)

    var body: some View {
        List(notes.rows) { note in
            Text(note.title)
        }
        .overlay {
            if notes.isLoaded && notes.rows.isEmpty { Text("No notes yet") }
        }
    }
}

struct NoteCount: View {
    let store: Store
    @State private var count: Int?

    var body: some View {
        Text(count.map { "\($0) notes" } ?? "")
            .task {
                do {
                    for try await notes in store.values(Note.query) { count = notes.count }
                } catch {
                    count = nil
                }
            }
    }
}
#endif

print("The views of this program need SwiftUI.")
