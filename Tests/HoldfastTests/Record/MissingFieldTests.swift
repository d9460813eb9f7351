import Holdfast
import Testing

private struct Place: Codable, Equatable {
    var city = "Bonn"
    var zone = Zone()
}

private struct Zone: Codable, Equatable {
    var code = 7
    var names = ["a": "A"]
}

/// A note of today, whose first version had a title alone.
private struct Note: Record {
    static let table: TableName = "notes"
    var id = RecordID.make()
    var title = "untitled"
    var isPinned = false
    var stars: Int? = 3
    var place = Place()
    var other: Place? = Place(city: "Ulm")
    var places: [Place] = []
    var byName: [String: Place] = [:]
}

/// It asks for what no instance of it ever writes.
private struct Demanding: Record {
    static let table: TableName = "demanding"
    var id = RecordID.make()

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        id = try container.decode(RecordID.self, forKey: .id)
        _ = try container.decode(Int.self, forKey: .never)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
    }

    enum Key: CodingKey { case id, never, next }
}

/// It claims that a field is missing that is there.
private struct Forgetful: Record {
    static let table: TableName = "forgetful"
    var id = RecordID.make()

    init() {}

    init(from decoder: any Decoder) throws {
        let context = DecodingError.Context(codingPath: [], debugDescription: "")
        throw DecodingError.keyNotFound(Demanding.Key.next, context)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Demanding.Key.self)
        try container.encode(id, forKey: .id)
        try container.encode(1, forKey: .next)
    }
}

/// Its default instance cannot be stored.
private struct Endless: Record {
    static let table: TableName = "endless"
    var id = RecordID.make()
    var value = Double.infinity
}

@Suite struct MissingFieldTests {
    private func read<Row: Record>(_ type: Row.Type, _ record: JSONObject) async throws -> Row? {
        let store = try await Store(storage: MemoryStorage())
        try await store.write { _ = try $0.put(record, in: Row.table) }
        return try store.read { try $0.first(Row.query) }
    }

    @Test func whatAnOldRecordLacksComesFromTheDefaultInstance() async throws {
        let note = try #require(try await read(Note.self, ["id": "a", "title": "x"]))
        #expect(note.id == "a")
        #expect(note.title == "x")
        #expect(!note.isPinned)
        #expect(note.place == Place())
        #expect(note.places.isEmpty)
    }

    @Test func anOptionalThatIsMissingIsNilWhateverTheDefault() async throws {
        let note = try #require(try await read(Note.self, ["id": "a"]))
        #expect(note.title == "untitled")
        #expect(note.stars == nil)
        #expect(note.other == nil)
    }

    @Test func aStructInsideGetsWhatItLacksAndKeepsWhatItHas() async throws {
        let record: JSONObject = [
            "id": "a", "place": ["city": "Kiel", "zone": ["names": ["b": "B"]]],
            "other": ["zone": ["code": 1, "names": [:]]],
        ]
        let note = try #require(try await read(Note.self, record))
        #expect(note.place == Place(city: "Kiel", zone: Zone(code: 7, names: ["b": "B"])))
        #expect(note.other == Place(city: "Ulm", zone: Zone(code: 1, names: [:])))
    }

    @Test(
        arguments: [
            (["id": "a", "places": [["city": "Kiel"]]], "places.0.zone"),
            (["id": "a", "byName": ["x": ["city": "Kiel"]]], "byName.x.zone"),
            (["id": "a", "title": 5], "title"),
            (["id": "a", "place": 5], "place"),
            (["id": "a", "place": ["city": 5]], "place.city"),
        ] as [(JSONObject, String)]
    )
    func whatTheDefaultInstanceHasNotIsAnErrorWithItsPlace(
        record: JSONObject,
        field: String
    ) async throws {
        let error = await #expect(throws: StoreError.self) {
            _ = try await read(Note.self, record)
        }
        #expect(error?.code == .wrongType)
        #expect(error?.table == "notes")
        #expect(error?.id == "a")
        #expect(error?.field == field)
    }

    @Test func aCodingThatIsNeverContentEndsWithAnError() async throws {
        for read in [
            { _ = try await self.read(Demanding.self, ["id": "a"]) },
            { _ = try await self.read(Forgetful.self, ["id": "a"]) },
            { _ = try await self.read(Forgetful.self, ["id": "a", "next": 1]) },
            { _ = try await self.read(Endless.self, ["id": "a"]) },
        ] {
            let error = await #expect(throws: StoreError.self) { try await read() }
            #expect(error?.code == .wrongType)
        }
    }

    @Test func aRecordWithoutTheIDThatItsTypeAsksForGetsNoOther() async throws {
        let store = try await Store(storage: MemoryStorage())
        try await store.write { transaction in
            try transaction.declare("notes", idField: "key")
            try transaction.put(["key": "a"], in: "notes")
        }
        let error = #expect(throws: StoreError.self) {
            try store.read { _ = try $0.get(Note.self, "a") }
        }
        #expect(error?.code == .wrongType)
        #expect(error?.field == "id")
    }

    @Test func anOldRecordIsWrittenBackWithWhatItLackedAndKeepsWhatIsUnknown() async throws {
        let store = try await Store(storage: MemoryStorage())
        try await store.write { transaction in
            try transaction.put(["id": "a", "stars": 4, "colour": "red"], in: "notes")
            var note = try #require(try transaction.get(Note.self, "a"))
            note.stars = nil
            try transaction.put(note)
            let stored = try #require(try transaction.get("a", in: "notes"))
            #expect(stored["stars"] == nil)
            #expect(stored["colour"] == "red")
            #expect(stored["title"] == "untitled")
        }
    }
}
