import Holdfast

struct Note: Record {
    static let table: TableName = "notes"
    var id = RecordID.make()
    var title = ""
}

let store = try await Store(storage: MemoryStorage())

/// Saves a note, and says what a person should be told.
func save(_ note: Note) async throws -> String {
    do {
        try await store.write { transaction in
            try transaction.put(note)
        }
        return "saved"
    } catch let error as StoreError {
        switch error.code {
        case .diskFull: return "The disk is full. Nothing was changed."
        case .outcomeUnknown: return "The disk failed. Open the app again."
        default: throw error
        }
    }
}
print(try await save(Note(title: "Bread")))

do {
    try await store.write { transaction in
        try transaction.patch("missing", in: "notes", with: ["title": "Soup"])
    }
} catch let error as StoreError {
    print(error.code)
    print(error)
    print("about:", error.id?.text ?? "no record")
}
