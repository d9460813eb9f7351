import Holdfast
import Testing

/// Records that break a rule already, as a server may send them.
@Suite struct EarlierBreachTests {
    private static let schema = Schema(version: 1) {
        Table("notes") {
            Reference("folder", to: "folders", onDelete: .restrict)
            Reference("author", to: "people", onDelete: .restrict)
            Index("slug", unique: true)
        }
    }

    private let storage = MemoryStorage()

    private func store(usesIndexes: Bool = true) async throws -> Store {
        let store = try await Store(
            storage: storage,
            schema: Self.schema,
            usesIndexes: usesIndexes
        )
        try await store.write { transaction in
            try transaction.put(["id": "here"], in: "folders")
            try transaction.withoutRules { transaction in
                try transaction.put(["id": "a", "folder": "gone", "slug": "x"], in: "notes")
                try transaction.put(["id": "b", "folder": [1], "slug": "x"], in: "notes")
            }
        }
        return store
    }

    @Test(arguments: [true, false])
    func theOtherFieldsOfARecordThatBreaksARuleAreEdited(usesIndexes: Bool) async throws {
        let store = try await store(usesIndexes: usesIndexes)
        try await store.write { transaction in
            for id in ["a", "b"] as [RecordID] {
                try transaction.patch(id, in: "notes", with: ["title": "new"])
                let record = try #require(try transaction.get(id, in: "notes"))
                try transaction.put(record, in: "notes")
            }
        }
        #expect(try store.read { try $0.get("a", in: "notes") }?["title"] == "new")
        try await store.write { transaction in
            try transaction.patch("a", in: "notes", with: ["folder": "here", "slug": "y"])
            try transaction.patch("b", in: "notes", with: ["folder": .null])
        }
    }

    @Test(
        arguments: [
            ("a", ["folder": "gone too"], "folder"), ("a", ["author": "none"], "author"),
            ("b", ["folder": [2]], "folder"), ("b", ["folder": "gone"], "folder"),
        ] as [(RecordID, JSONObject, String)]
    )
    func aFieldThatIsChangedKeepsTheRule(
        id: RecordID,
        fields: JSONObject,
        field: String
    ) async throws {
        let store = try await store()
        let error = await #expect(throws: StoreError.self) {
            try await store.write { try $0.patch(id, in: "notes", with: fields) }
        }
        #expect(error?.code == .missingReference)
        #expect(error?.field == field)
        #expect(error?.id == id)
    }

    @Test func aBreachOfTheTransactionItselfIsFoundWhateverIsEditedAfterwards() async throws {
        let store = try await store()
        let error = await #expect(throws: StoreError.self) {
            try await store.write { transaction in
                try transaction.put(["id": "c", "folder": "none"], in: "notes")
                try transaction.patch("c", in: "notes", with: ["title": "new"])
            }
        }
        #expect(error?.code == .missingReference)
        #expect(error?.id == "c")
    }

    @Test(arguments: [true, false])
    func aValueThatTwoRecordsHaveIsGivenToNoThird(usesIndexes: Bool) async throws {
        let store = try await store(usesIndexes: usesIndexes)
        let error = await #expect(throws: StoreError.self) {
            try await store.write { _ = try $0.put(["id": "c", "slug": "x"], in: "notes") }
        }
        #expect(error?.code == .uniqueConflict)
    }

    private func migrate(
        _ tables: [Table] = Self.schema.tables,
        _ body: @escaping MigrationStep.Body
    ) async throws {
        let schema = try Schema(version: 2, tables: tables).migrate("step", from: 1, body)
        _ = try await Store(storage: storage, schema: schema)
    }

    @Test func aStepThatLeavesABreachAsItWasDoesNotFail() async throws {
        let store = try await store()
        try await migrate { transaction in
            try transaction.setDefault(true, for: "seen", in: "notes")
        }
        #expect(try store.read { try $0.get("b", in: "notes") }?["seen"] == true)
    }

    @Test func aTableThatIsMovedTakesItsBreachesAlong() async throws {
        let store = try await store()
        try await migrate([]) { transaction in
            try transaction.moveTable("notes", to: "between")
            try transaction.moveTable("between", to: "memos")
            try transaction.moveTable("folders", to: "places")
        }
        #expect(try store.read { try $0.get("a", in: "memos") }?["folder"] == "gone")
    }

    private static let faults: [MigrationStep.Body] = [
        { try $0.patch("a", in: "notes", with: ["folder": "gone too"]) },
        { try $0.patch("b", in: "notes", with: ["folder": [2]]) },
        { try $0.put(["id": "c", "slug": "x"], in: "notes") },
        { try $0.put(["id": "c", "folder": "gone"], in: "notes") },
        { try $0.transform("notes") { record, _ in record["slug"] = "y" } },
        { transaction in
            try transaction.patch("a", in: "notes", with: ["folder": "here"])
            try transaction.delete("here", in: "folders")
        },
    ]

    @Test(arguments: faults.indices)
    func aStepThatBreaksARuleFails(number: Int) async throws {
        _ = try await store()
        let error = await #expect(throws: StoreError.self) {
            try await migrate(Self.schema.tables, Self.faults[number])
        }
        #expect(error?.code == .migrationFailed)
        #expect(error?.cause is StoreError)
    }

    @Test func aStepThatDeletesWhatIsReferredToFailsBesideAnOlderBreach() async throws {
        let store = try await store()
        try await store.write { transaction in
            _ = try transaction.put(["id": "c", "folder": "here"], in: "notes")
        }
        let error = await #expect(throws: StoreError.self) {
            try await migrate { _ = try $0.delete("here", in: "folders") }
        }
        #expect(error?.id == "c")
    }

    @Test func aNewRuleHoldsForEveryRecord() async throws {
        _ = try await store()
        let tables = [Table("notes") { Reference("folder", to: "others", onDelete: .restrict) }]
        let error = await #expect(throws: StoreError.self) {
            try await migrate(tables) { _ = try $0.setDefault(1, for: "n", in: "notes") }
        }
        #expect((error?.cause as? StoreError)?.code == .missingReference)
    }
}
