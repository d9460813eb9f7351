import Holdfast
import HoldfastCommand
import Testing

/// Commands on a store that an app opened with a schema.
@Suite struct SchemaCommandTests {
    private let hold: Hold

    init() async throws {
        hold = try Hold()
        let schema = Schema(version: 2) {
            Table("folders") { Index(words: "name") }
            Table("notes") {
                Index("slug", unique: true)
                Reference("folder", to: "folders", onDelete: .cascade)
            }
        }
        .migrate("start", from: 0) { _ in }
        .migrate("to two", from: 1) { try $0.setDefault("x", for: "name", in: "folders") }
        var store = try await Store.open(at: hold.store)
        try await store.write { _ = try $0.put(["id": "f"], in: "folders") }
        try await store.close()
        store = try await Store.open(at: hold.store, schema: schema)
        try await store.write {
            _ = try $0.put(["id": "n", "slug": "s", "folder": "f"], in: "notes")
        }
        try await store.close()
    }

    @Test func statsAndTablesShowTheSchema() throws {
        let stats = try JSONObject(parsing: hold.run("stats", hold.store, "--json").output)
        #expect(stats["schemaVersion"] == 2)
        #expect(
            stats["stepsRun"] == [["name": "start", "from": 0], ["name": "to two", "from": 1]]
        )
        #expect(stats["betweenSteps"] == false)
        let notes: JSONObject = [
            "table": "notes", "idField": "id", "records": 1,
            "indexes": [
                ["kind": "ordered", "fields": ["folder"]], ["kind": "unique", "fields": ["slug"]],
            ],
            "references": [["field": "folder", "table": "folders", "onDelete": "cascade"]],
        ]
        guard case .array(let tables)? = stats["schema"] else {
            Issue.record("there is no schema")
            return
        }
        #expect(tables.last == .object(notes))
        let text = try hold.run("stats", hold.store).output
        #expect(text.contains("schema version   2\n"))
        #expect(text.contains("steps run        start (from 0), to two (from 1)\n"))
        for output in [text, try hold.run("tables", hold.store).output] {
            #expect(output.contains("(folder) (unique: slug)"))
            #expect(output.contains("folder -> folders (cascade)"))
            #expect(output.contains("(words: name)"))
        }
    }

    @Test func theSnippetOfMigrationsPrintsWhatItShould() throws {
        let outcome = try hold.runSnippet("Migrations")
        #expect(outcome.ending == .exited(0), "\(outcome.errors)")
        #expect(
            outcome.lines == [
                "step 1 of 2: split name", "step 2 of 2: contacts are people",
                "Lovelace, Ada, false", "Turing, Alan, false",
            ]
        )
    }

    @Test func everyCommandKeepsTheRules() throws {
        for (arguments, code) in [
            (["put", hold.store, "notes", #"{"id":"m","slug":"s"}"#], "same value in slug"),
            (["put", hold.store, "notes", #"{"id":"m","folder":"none"}"#], "is not there"),
        ] {
            let outcome = try hold.run(arguments)
            #expect(outcome.ending == .exited(1))
            #expect(outcome.errors.contains(code))
        }
        let lines = try hold.file("notes.jsonl", "{\"id\":\"m\"}\n{\"id\":\"o\",\"slug\":\"s\"}\n")
        let outcome = try hold.run("import", hold.store, "notes", lines)
        #expect(outcome.ending == .exited(1))
        #expect(outcome.errors.contains("same value in slug"))
        #expect(try hold.run("delete", hold.store, "folders", "f").ending == .exited(0))
        let tables = try hold.run("tables", hold.store, "--json").lines
        #expect(try tables.map { try JSONObject(parsing: $0)["records"] } == [0, 1])
    }
}
