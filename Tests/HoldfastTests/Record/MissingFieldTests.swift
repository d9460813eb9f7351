import Holdfast
import Synchronization
import Testing

private struct Place: Codable, Equatable {
    var city = "Bonn"
    var zone = Zone()
}

private struct Zone: Codable, Equatable {
    var code = 7
    var names = ["a": "A"]

    enum CodingKeys: CodingKey { case code, names }
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

/// It counts how many default instances are made, and makes each another one.
private struct Counted: Record {
    static let made = Mutex(0)
    static let table: TableName = "counted"
    var id = RecordID.make()
    var number: Int
    var inner = Place()
    var other = [1]
    var last = ""

    init() {
        number = Self.made.withLock { made in
            made += 1
            return made
        }
    }
}

/// Its own coding tells what is stored from what is missing.
private struct Careful: Record {
    static let table: TableName = "careful"
    var id = RecordID.make()
    var asked = 1
    var optional: Int? = 2
    var nested = Zone()
    var list = [3]
    var isThere = true

    init() {}

    enum CodingKeys: CodingKey { case id, asked, optional, nested, list, isThere }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        isThere = container.contains(.asked)
        let inner = try container.nestedContainer(keyedBy: Zone.CodingKeys.self, forKey: .nested)
        nested = Zone(
            code: try inner.decode(Int.self, forKey: .code),
            names: try inner.decode([String: String].self, forKey: .names)
        )
        var values = try container.nestedUnkeyedContainer(forKey: .list)
        list = [try values.decode(Int.self), values.isAtEnd ? 0 : 1]
        optional = try container.decodeIfPresent(Int.self, forKey: .optional)
        asked = try container.decode(Int.self, forKey: .asked)
        id = try container.decode(RecordID.self, forKey: .id)
    }
}

/// The first field that it asks for is one that is missing.
private struct Backwards: Record {
    static let table: TableName = "backwards"
    var place = Place()
    var name = ""
    var id = RecordID.make()
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

    @Test func aReadMakesOneDefaultInstanceAndOnlyWhereAFieldIsMissing() async throws {
        let made = Counted.made.withLock { $0 }
        let store = try await Store(storage: MemoryStorage())
        try await store.write { transaction in
            try transaction.put(["id": "old", "inner": ["city": "Kiel"]], in: "counted")
            let whole: JSONObject = [
                "id": "whole", "number": 0,
                "inner": ["city": "", "zone": ["code": 1, "names": [:]]],
                "other": [], "last": "",
            ]
            try transaction.put(whole, in: "counted")
        }
        #expect(try store.read { try $0.get(Counted.self, "whole") }?.number == 0)
        #expect(Counted.made.withLock { $0 } == made)
        let first = try #require(try store.read { try $0.get(Counted.self, "old") })
        #expect(first.number == made + 1)
        #expect(first.inner == Place(city: "Kiel"))
        #expect(first.other == [1])
        #expect(first.last == "")
        #expect(try store.read { try $0.get(Counted.self, "old") }?.number == made + 2)
        #expect(Counted.made.withLock { $0 } == made + 2)
    }

    @Test func aCodingOfTheTypesOwnGetsWhatItAsksForAndSeesWhatIsStored() async throws {
        let bare = try #require(try await read(Careful.self, ["id": "a"]))
        #expect(bare.id == "a")
        #expect(!bare.isThere)
        #expect(bare.optional == nil)
        #expect(bare.asked == 1)
        #expect(bare.nested == Zone())
        #expect(bare.list == [3, 0])
        let record: JSONObject = ["id": "a", "asked": 9, "nested": ["code": 8], "list": [4, 5]]
        let stored = try #require(try await read(Careful.self, record))
        #expect(stored.isThere)
        #expect(stored.asked == 9)
        #expect(stored.nested == Zone(code: 8))
        #expect(stored.list == [4, 1])
    }

    @Test(arguments: 0..<128 as Range<Int>)
    func whateverARecordLacksAndInWhateverOrderItStands(choice: Int) async throws {
        let whole = Note(id: "a", title: "x", isPinned: true, place: Place(city: "Kiel"))
        let document = try Document.decode(DocumentEncoder.encode(whole).bytes)
        let fields = Array(document.filter { $0.name != "id" })
        let kept = fields.enumerated().filter { choice >> $0.offset & 1 == 1 }.map(\.element)
        let id = (name: "id", value: "a" as JSONValue)
        for record in [[id] + kept, kept.reversed() + [id]] {
            let note = try #require(try await read(Note.self, JSONObject(record)))
            func has(_ name: String) -> Bool { record.contains { $0.name == name } }
            #expect(note.id == "a")
            #expect(note.title == (has("title") ? "x" : "untitled"))
            #expect(note.isPinned == has("isPinned"))
            #expect(note.stars == (has("stars") ? 3 : nil))
            #expect(note.place == (has("place") ? whole.place : Place()))
            #expect(note.other == (has("other") ? whole.other : nil))
            #expect(note.places.isEmpty)
            #expect(note.byName.isEmpty)
        }
    }

    @Test func whatIsThereIsFoundBehindAMissingFieldThatIsAskedForFirst() async throws {
        let row = try #require(try await read(Backwards.self, ["id": "a", "name": "x"]))
        #expect(row.place == Place())
        #expect(row.name == "x")
        #expect(row.id == "a")
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
