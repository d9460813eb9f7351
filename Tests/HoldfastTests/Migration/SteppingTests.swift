import Holdfast
import HoldfastStorage
import Testing

/// Steps that are run on one record which comes from elsewhere.
@Suite struct SteppingTests {
    struct Refusal: Error {}

    private static let tables = Schema(version: 4) { Table("notes") }

    private static func step(
        _ name: String,
        from version: Int,
        _ schema: Schema,
        representationOnly: Bool = true
    ) -> Schema {
        schema.migrate(name, from: version, representationOnly: representationOnly) {
            try $0.transform("notes") { note, _ in
                note["steps"] = .string((note["steps"]?.stringValue ?? "") + name)
            }
        }
    }

    private static var schema: Schema {
        var schema = step("a", from: 1, tables)
        schema = step("b", from: 1, schema)
        schema = step("edit", from: 2, schema, representationOnly: false)
        return step("c", from: 2, schema)
    }

    private func stepped(
        _ object: JSONObject,
        from form: Int,
        in table: TableName = "notes",
        by schema: Schema
    ) async throws -> JSONObject {
        let store = try await Store(storage: MemoryStorage(), schema: schema)
        return try await store.writeUnrecorded { transaction in
            let id: RecordID = "a"
            try transaction.put(["id": "a", "here": true], in: "notes")
            let before = try transaction.sizes()
            let stepped = try transaction.stepped(object, of: id, in: table, from: form, to: schema)
            let (after, here) = (try transaction.sizes(), try transaction.get(id, in: "notes"))
            #expect(after == before && here == ["id": "a", "here": true])
            return stepped
        }
    }

    @Test func formIsThatOfTheNewestStepOfRepresentation() {
        #expect(Self.tables.form == 1)
        #expect(Self.schema.form == 3)
        #expect(Self.step("edit", from: 1, Self.tables, representationOnly: false).form == 1)
        #expect(Self.step("first", from: 0, Self.tables).form == 1)
    }

    @Test(arguments: [(1, "abc"), (2, "c"), (3, nil), (9, nil)])
    func onlyStepsOfRepresentationBetweenTheTwoFormsAreRun(
        _ form: Int,
        _ steps: String?
    ) async throws {
        let object = try await stepped(["id": "a"], from: form, by: Self.schema)
        #expect(object["steps"]?.stringValue == steps)
    }

    @Test func recordOfAnotherTableStaysAsItIs() async throws {
        let object = try await stepped(["id": "a"], from: 1, in: "pages", by: Self.schema)
        #expect(object == ["id": "a"])
    }

    @Test func everyHelperOfAStepWorksOnTheRecord() async throws {
        let schema = Self.tables.migrate("all", from: 1, representationOnly: true) { transaction in
            let counts = [
                try transaction.renameField("old", to: "new", in: "notes"),
                try transaction.removeField("gone", in: "notes"),
                try transaction.setDefault(7, for: "default", in: "notes"),
                try transaction.setDefault(7, for: "new", in: "notes"),
            ]
            #expect(counts == [1, 1, 1, 0])
        }
        let record: JSONObject = ["id": "a", "old": 1, "gone": 2, "kept": 3]
        let object = try await stepped(record, from: 1, by: schema)
        #expect(object == ["id": "a", "new": 1, "kept": 3, "default": 7])
    }

    @Test func whatAStepWritesBesidesIsTakenBack() async throws {
        let schema = Self.tables.migrate("all", from: 1, representationOnly: true) { transaction in
            try transaction.put(["id": "made"], in: "others")
            try transaction.moveTable("others", to: "more")
            try transaction.transform("notes") { note, transaction in
                note["x"] = 1
                try transaction.put(["id": "a", "here": false], in: "notes")
                try transaction.delete("a", in: "notes")
            }
        }
        #expect(try await stepped(["id": "a"], from: 1, by: schema) == ["id": "a", "x": 1])
    }

    @Test func stepThatThrowsLeavesTheTransactionAsItWas() async throws {
        let schema = Self.tables.migrate("all", from: 1, representationOnly: true) { transaction in
            try transaction.put(["id": "made"], in: "others")
            try transaction.transform("notes") { _, _ in throw Refusal() }
        }
        let store = try await Store(storage: MemoryStorage(), schema: schema)
        try await store.writeUnrecorded { transaction in
            do {
                _ = try transaction.stepped(["id": "a"], of: "a", in: "notes", from: 1, to: schema)
                Issue.record("the step did not throw")
            } catch is Refusal {}
            let others = try transaction.count(of: "others")
            try transaction.put(["id": "b"], in: "notes")
            let changed = try transaction.transform("notes") { note, _ in note["x"] = 1 }
            #expect(others == 0 && changed == 1)
        }
        #expect(try store.read { try $0.get("b", in: "notes") } == ["id": "b", "x": 1])
    }

    @Test(arguments: [("id", JSONValue.string("b")), ("id", .null), ("x", .double(.nan))])
    func stepCannotMakeWhatHasNoPlace(_ field: String, _ value: JSONValue) async throws {
        let schema = Self.tables.migrate("all", from: 1, representationOnly: true) { transaction in
            try transaction.transform("notes") { note, _ in note[field] = value }
        }
        await #expect(throws: (any Error).self) {
            try await stepped(["id": "a"], from: 1, by: schema)
        }
    }

    @Test func recordThatCameInTheStepsFormIsNotMigrated() async throws {
        let log = WriteLog(["notes"])
        var notes = Table("notes")
        notes.recording = log
        let storage = MemoryStorage()
        let table = notes
        let store = try await Store(storage: storage, schema: Schema(version: 1) { table })
        try await store.writeUnrecorded { transaction in
            try transaction.put(["id": "newer", "a": 1], in: "notes")
            try transaction.put(["id": "older", "a": 1], in: "notes")
        }
        let schema = Schema(version: 2) { table }
            .migrate("rename", from: 1, representationOnly: true) { transaction in
                try transaction.renameField("a", to: "b", in: "notes")
            }
        let migrated = try await Store(storage: storage, schema: schema)
        #expect(try migrated.read { try $0.get("newer", in: "notes") } == ["id": "newer", "a": 1])
        #expect(try migrated.read { try $0.get("older", in: "notes") } == ["id": "older", "b": 1])
    }
}

extension WriteTransaction {
    /// How many records each table has.
    fileprivate func sizes() throws -> [TableName: Int] {
        try tables().reduce(into: [:]) { $0[$1.name] = try count(of: $1.name) }
    }
}
