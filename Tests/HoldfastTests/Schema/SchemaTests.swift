import Holdfast
import Testing

private struct Folder: Record {
    static let table: TableName = "folders"
    var id = RecordID.make()
    var name = ""
}

private struct Note: Record {
    static let table: TableName = "notes"
    var id = RecordID.make()
    var title = ""
    var slug: String?
    var folder: RecordID?
}

/// Its id stands under another name.
private struct Station: Record {
    static let table: TableName = "stations"
    static let idField = "code"
    var id: RecordID = "none"

    enum CodingKeys: String, CodingKey { case id = "code" }
}

@Suite struct SchemaTests {
    private let schema = Schema(version: 1) {
        Table(Folder.self)
        Table(Note.self) {
            Index("title")
            Index("slug", unique: true)
            Index(words: "title")
            Reference("folder", to: Folder.self, onDelete: .cascade)
        }
        Table(Station.self)
        Table("plain", idField: "key")
    }

    @Test func aStoreHasWhatItsSchemaDeclares() async throws {
        let store = try await Store(storage: MemoryStorage(), schema: schema)
        #expect(store.schema?.version == 1)
        let notes = try #require(try store.read { try $0.description(of: "notes") })
        #expect(
            Set(notes.indexes) == [
                Index("title"), Index("folder"), Index("slug", unique: true), Index(words: "title"),
            ]
        )
        #expect(
            notes.references == [Reference("folder", to: "folders", onDelete: .cascade)]
        )
        #expect(
            try store.read { try $0.tables() }.map(\.name) == [
                "folders", "notes", "plain", "stations",
            ]
        )
        #expect(try store.read { try $0.description(of: "plain") }?.idField == "key")
        #expect(try store.read { try $0.description(of: "stations") }?.idField == "code")
        #expect(try store.read { try $0.schemaVersion() } == 1)
        try await store.write { transaction in
            for id in ["f", "g"] as [RecordID] { try transaction.put(Folder(id: id)) }
            try transaction.put(Note(folder: "f"))
            for _ in 0..<20 { try transaction.put(Note(folder: "g")) }
        }
        let plan = try store.read { try $0.explain(Note.query.where("folder", .equals, "f")) }
        #expect(plan.description.contains("index (folder)"))
    }

    @Test func openingAgainWithTheSameSchemaCommitsNothing() async throws {
        let storage = MemoryStorage()
        let number = try await Store(storage: storage, schema: schema).sequenceNumber
        #expect(try await Store(storage: storage, schema: schema).sequenceNumber == number)
    }

    @Test func aFieldATableOrAnIndexIsAddedOrTakenAwayWithoutAStep() async throws {
        let storage = MemoryStorage()
        let first = try await Store(storage: storage, schema: schema)
        try await first.write { _ = try $0.put(["id": "a", "title": "x"], in: "notes") }
        try await first.createIndex(Index("other"), on: "elsewhere")

        let changed = Schema(version: 1) {
            Table("notes") {
                Index("title", "slug")
                Index(words: "title")
            }
            Table("added")
        }
        let second = try await Store(storage: storage, schema: changed)
        #expect(
            Set(try second.indexes(of: "notes")) == [Index("title", "slug"), Index(words: "title")]
        )
        #expect(try second.read { try $0.description(of: "notes") }?.references == [])
        #expect(try second.indexes(of: "elsewhere") == [Index("other")])
        #expect(try second.read { try $0.description(of: "added") }?.count == 0)
        #expect(try second.read { try $0.description(of: "plain") } != nil)
        #expect(try second.read { try $0.get("a", in: "notes") } == ["id": "a", "title": "x"])
    }

    @Test func aStoreWithoutASchemaKeepsWhatAnotherDeclared() async throws {
        let storage = MemoryStorage()
        _ = try await Store(storage: storage, schema: schema)
        let store = try await Store(storage: storage)
        #expect(store.schema == nil)
        try await store.write { _ = try $0.put(["id": "a", "slug": "x"], in: "notes") }
        let error = await #expect(throws: StoreError.self) {
            try await store.write { _ = try $0.put(["id": "b", "slug": "x"], in: "notes") }
        }
        #expect(error?.code == .uniqueConflict)
    }

    @Test func aTableWithRecordsKeepsItsIDField() async throws {
        let storage = MemoryStorage()
        let plain = try await Store(storage: storage)
        try await plain.write { transaction in
            try transaction.put(["id": "a"], in: "full")
            try transaction.declare("empty", idField: "id")
        }
        let number = try plain.sequenceNumber
        let moved = Schema(version: 1) {
            Table("empty", idField: "code")
            Table("full", idField: "code")
        }
        let error = await #expect(throws: StoreError.self) {
            _ = try await Store(storage: storage, schema: moved)
        }
        #expect(error?.code == .idFieldMismatch)
        #expect(error?.table == "full")
        #expect(try plain.sequenceNumber == number)

        let store = try await Store(
            storage: storage,
            schema: Schema(version: 1) { Table("empty", idField: "code") }
        )
        #expect(try store.read { try $0.description(of: "empty") }?.idField == "code")
    }

    @Test(
        arguments: [
            (0, []),
            (1, [Table("a"), Table("a")]),
            (1, [Table("a", idField: "")]),
            (1, [Table("a", indexes: [Index("x"), Index("x")])]),
            (
                1,
                [
                    Table(
                        "a",
                        indexes: [],
                        references: [
                            Reference("x", to: "a"), Reference("x", to: "b"),
                        ]
                    )
                ]
            ),
            (
                1,
                [
                    Table(
                        "a",
                        indexes: [],
                        references: [
                            Reference("id", to: "b", onDelete: .nullify)
                        ]
                    )
                ]
            ),
        ] as [(Int, [Table])]
    )
    func tablesFromDataThatContradictThemselvesAreRefused(version: Int, tables: [Table]) {
        let error = #expect(throws: StoreError.self) {
            _ = try Schema(version: version, tables: tables)
        }
        #expect(error?.code == .invalidSchema)
    }

    @Test func tablesAreBuiltByConditionsAndLoops() {
        let isLarge = true
        let schema = Schema(version: 2) {
            if isLarge { Table("large") }
            for name in ["a", "b"] as [TableName] {
                Table(name) {
                    if isLarge { Index("x") } else { Index("y") }
                    for field in ["r", "s"] {
                        if let reference = try? Reference(field: field, to: "large") { reference }
                    }
                }
            }
        }
        #expect(schema.tables.map(\.name) == ["large", "a", "b"])
        #expect(schema["b"]?.indexes == [Index("x")])
        #expect(schema["a"]?.references.map(\.field) == ["r", "s"])
        #expect(schema["none"] == nil)
    }
}
