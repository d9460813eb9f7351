import Holdfast
import Testing

private struct Note: Record {
    static let table: TableName = "notes"
    var id = RecordID.make()
    var title = ""
    var stars: Int?
}

/// Its id stands under another name.
private struct Station: Record {
    static let table: TableName = "stations"
    static let idField = "code"
    var id: RecordID = "none"
    var name = ""

    enum CodingKeys: String, CodingKey {
        case id = "code"
        case name
    }
}

/// A type whose coding leaves the id out.
private struct Nameless: Record {
    static let table: TableName = "nameless"
    var id = RecordID.make()
    var title = ""

    enum CodingKeys: String, CodingKey { case title }
}

@Suite struct TypedRecordTests {
    private func store() async throws -> Store { try await Store(storage: MemoryStorage()) }

    @Test func whatIsPutIsGotAndFetched() async throws {
        let store = try await store()
        let notes = ["c", "a", "b"].map { Note(title: $0) }
        try await store.write { transaction in
            for note in notes { try transaction.put(note) }
        }
        try store.read { (transaction) throws in
            let got = try transaction.get(Note.self, notes[1].id)
            let fetched = try transaction.fetch(Note.query.order(by: "title", .descending))
            let first = try transaction.first(Note.query.where("title", .isGreater, "a"))
            #expect(got?.title == "a")
            #expect(fetched.map(\.title) == ["c", "b", "a"])
            #expect(first?.title == "c")
            #expect(try transaction.get(Note.self, "none") == nil)
        }
    }

    @Test func fieldsThatTheTypeDoesNotKnowAreKept() async throws {
        let store = try await store()
        try await store.write { transaction in
            try transaction.put(
                ["colour": "red", "id": "a", "title": "x", "stars": 3, "tags": [1, ["k": .null]]],
                in: "notes"
            )
            var note = try #require(try transaction.get(Note.self, "a"))
            note.title = "y"
            note.stars = nil
            let result = try transaction.put(note)
            #expect(result.replaced)
            let stored = try transaction.get("a", in: "notes")
            #expect(
                stored == ["colour": "red", "id": "a", "title": "y", "tags": [1, ["k": .null]]]
            )
            #expect(stored?.map(\.name) == ["colour", "id", "title", "tags"])
        }
    }

    @Test func aNumberAsIDIsReadAsItsTextAndStaysANumber() async throws {
        let store = try await store()
        try await store.write { transaction in
            try transaction.put(["id": 7, "title": "x"], in: "notes")
            var note = try #require(try transaction.get(Note.self, "7"))
            #expect(note.id == "7")
            note.title = "y"
            try transaction.put(note)
            #expect(try transaction.get("7", in: "notes") == ["id": 7, "title": "y"])
        }
    }

    @Test func theIDMayStandUnderAnotherName() async throws {
        let store = try await store()
        try await store.write { transaction in
            try transaction.put(Station(id: "HB", name: "Main"))
            #expect(try transaction.get("HB", in: "stations") == ["code": "HB", "name": "Main"])
            #expect(try transaction.get(Station.self, "HB")?.name == "Main")
            #expect(try transaction.delete(Station.self, "HB"))
        }
        #expect(try store.read { try $0.description(of: "stations") }?.idField == "code")
    }

    @Test func aTypeWithAnotherIDFieldThanItsTableIsRefused() async throws {
        let store = try await store()
        try await store.write { _ = try $0.put(["id": "a"], in: "stations") }
        let error = await #expect(throws: StoreError.self) {
            try await store.write { _ = try $0.put(Station(id: "HB", name: "Main")) }
        }
        #expect(error?.code == .idFieldMismatch)
    }

    @Test func aTypeThatDoesNotWriteItsIDIsRefused() async throws {
        let store = try await store()
        let error = await #expect(throws: StoreError.self) {
            try await store.write { _ = try $0.put(Nameless()) }
        }
        #expect(error?.code == .idMismatch)
        #expect(error?.field == "id")
        #expect(try store.read { try $0.tables() }.isEmpty)
    }

    @Test(
        arguments: [
            (["id": "a", "title": 5], "title"),
            (["id": "a", "title": .null], "title"),
            (["id": "a", "title": "x", "stars": "three"], "stars"),
        ] as [(JSONObject, String)]
    )
    func aStoredValueOfAnotherShapeIsAnErrorWithItsPlace(
        record: JSONObject,
        field: String
    ) async throws {
        let store = try await store()
        try await store.write { transaction in
            try transaction.put(record, in: "notes")
            try transaction.put(Note(title: "good"))
        }
        for read in [
            { try store.read { _ = try $0.get(Note.self, "a") } },
            { try store.read { _ = try $0.fetch(Note.query) } },
        ] {
            let error = #expect(throws: StoreError.self) { try read() }
            #expect(error?.code == .wrongType)
            #expect(error?.table == "notes")
            #expect(error?.id == "a")
            #expect(error?.field == field)
            #expect(error?.description.contains("three") == false)
        }
        #expect(try store.read { try $0.get("a", in: "notes") } == record)
    }

    @Test func aNumberThatJSONCannotHoldIsRefusedWithItsField() async throws {
        struct Reading: Record {
            static let table: TableName = "readings"
            var id = RecordID.make()
            var value = 0.0
        }
        let store = try await store()
        let error = await #expect(throws: StoreError.self) {
            try await store.write { _ = try $0.put(Reading(value: .nan)) }
        }
        #expect(error?.code == .notEncodable)
        #expect(error?.field == "value")
    }
}
