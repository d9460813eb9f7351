import Holdfast
import Testing

@Suite struct MigrationHelperTests {
    private func migrate(
        _ records: [JSONObject],
        from old: Schema = Schema(version: 1) { Table("old") },
        to tables: [Table] = [],
        _ body: @escaping MigrationStep.Body
    ) async throws -> Store {
        let storage = MemoryStorage()
        let store = try await Store(storage: storage, schema: old)
        try await store.write { transaction in
            for record in records { try transaction.put(record, in: "old") }
        }
        let schema = Schema(version: 2) { tables }.migrate("step", from: 1, body)
        return try await Store(storage: storage, schema: schema)
    }

    private func fields(_ store: Store, _ table: TableName = "old") throws -> [JSONObject] {
        try store.read { try $0.fetch(Query(table)) }
    }

    @Test func aRenamedFieldKeepsItsPlaceAndItsValue() async throws {
        let store = try await migrate([["id": "a", "x": [1], "y": 2], ["id": "b", "y": 3]]) {
            (transaction) throws in
            #expect(try transaction.renameField("x", to: "z", in: "old") == 1)
        }
        let records = try fields(store)
        #expect(records == [["id": "a", "z": [1], "y": 2], ["id": "b", "y": 3]])
        #expect(records[0].map(\.name) == ["id", "z", "y"])
    }

    @Test func aNameThatIsTakenIsRefusedAndNothingIsChanged() async throws {
        let store = try await migrate([["id": "a", "x": 1], ["id": "b", "x": 1, "z": 2]]) {
            transaction in
            let error = #expect(throws: StoreError.self) {
                try transaction.renameField("x", to: "z", in: "old")
            }
            #expect(error?.code == .alreadyThere)
            #expect(error?.field == "z")
        }
        #expect(try fields(store) == [["id": "a", "x": 1], ["id": "b", "x": 1, "z": 2]])
    }

    @Test func theIDFieldIsNeitherRenamedNorRemoved() async throws {
        _ = try await migrate([["id": "a"]]) { transaction in
            for change in [
                { _ = try $0.renameField("id", to: "z", in: "old") },
                { _ = try $0.renameField("z", to: "id", in: "old") },
                { _ = try $0.removeField("id", in: "old") },
                { _ = try $0.transform("old") { record, _ in record["id"] = "b" } },
            ] as [(inout WriteTransaction) throws -> Void] {
                let error = #expect(throws: StoreError.self) { try change(&transaction) }
                #expect(error?.code == .idMismatch)
            }
        }
    }

    @Test func aRemovedFieldIsGoneAndADefaultFillsWhatIsMissing() async throws {
        let store = try await migrate([["id": "a", "x": 1], ["id": "b", "y": .null]]) {
            (transaction) throws in
            #expect(try transaction.removeField("x", in: "old") == 1)
            #expect(try transaction.setDefault("d", for: "y", in: "old") == 1)
            #expect(try transaction.setDefault("d", for: "y", in: "none") == 0)
        }
        #expect(try fields(store) == [["id": "a", "y": "d"], ["id": "b", "y": .null]])
    }

    @Test func whatATransformWritesElsewhereIsThereAndNotVisited() async throws {
        let store = try await migrate([["id": "a", "tags": ["x", "y"]], ["id": "b"]]) {
            (transaction) throws in
            let changed = try transaction.transform("old") { record, transaction in
                guard case .array(let tags)? = record["tags"] else { return }
                for (position, tag) in tags.enumerated() {
                    let id = JSONValue.string("z\(position)")
                    try transaction.put(["id": id, "tag": tag], in: "old")
                }
                record["tags"] = nil
            }
            #expect(changed == 1)
        }
        #expect(
            try fields(store) == [
                ["id": "a"], ["id": "b"], ["id": "z0", "tag": "x"], ["id": "z1", "tag": "y"],
            ]
        )
    }

    @Test func aRecordThatATransformDeletesIsNeitherVisitedNorBroughtBack() async throws {
        let store = try await migrate([["id": "a"], ["id": "b"], ["id": "c"]]) {
            (transaction) throws in
            var visited: [JSONValue?] = []
            let changed = try transaction.transform("old") { record, transaction in
                visited.append(record["id"])
                record["seen"] = true
                if record["id"] == "a" { try transaction.delete("b", in: "old") }
                if record["id"] == "c" { try transaction.delete("c", in: "old") }
            }
            #expect(visited == ["a", "c"])
            #expect(changed == 1)
        }
        #expect(try fields(store) == [["id": "a", "seen": true]])
    }

    @Test func aRecordThatATransformEditedBeforeIsVisitedAsEdited() async throws {
        let store = try await migrate([["id": "a"], ["id": "b", "n": 1]]) { (transaction) throws in
            let changed = try transaction.transform("old") { record, transaction in
                if record["id"] == "a" {
                    try transaction.patch("b", in: "old", with: ["fromA": true])
                }
                record["seen"] = true
            }
            #expect(changed == 2)
        }
        #expect(
            try fields(store) == [
                ["id": "a", "seen": true], ["id": "b", "n": 1, "fromA": true, "seen": true],
            ]
        )
    }

    @Test func ofTwoWritesToTheVisitedRecordTheChangedOneOfTheBodyWins() async throws {
        let store = try await migrate([["id": "a"], ["id": "b"]]) { (transaction) throws in
            let changed = try transaction.transform("old") { record, transaction in
                let id = record["id"] == "a" ? "a" : "b" as RecordID
                try transaction.patch(id, in: "old", with: ["written": true])
                if id == "a" { record["returned"] = true }
            }
            #expect(changed == 1)
        }
        #expect(
            try fields(store) == [["id": "a", "returned": true], ["id": "b", "written": true]]
        )
    }

    @Test func aTransformThatThrowsChangesNothing() async throws {
        let store = try await migrate([["id": "a"], ["id": "b"]]) { transaction in
            #expect(throws: CancellationError.self) {
                try transaction.transform("old") { record, _ in
                    record["x"] = 1
                    if record["id"] == "b" { throw CancellationError() }
                }
            }
        }
        #expect(try fields(store) == [["id": "a"], ["id": "b"]])
    }

    @Test func aMovedTableTakesItsDeclarationsAlongAndWhatRefersToItFollows() async throws {
        let old = Schema(version: 1) {
            Table("old", idField: "key") {
                Index("x")
                Reference("parent", to: "old", onDelete: .cascade)
            }
            Table("pets") { Reference("owner", to: "old", onDelete: .nullify) }
        }
        let records: [JSONObject] = [["key": 1, "x": 1], ["key": 2, "parent": 1]]
        let store = try await migrate(records, from: old) { (transaction) throws in
            try transaction.put(["id": "p", "owner": 2], in: "pets")
            #expect(try transaction.moveTable("old", to: "new") == 2)
            #expect(try transaction.moveTable("none", to: "other") == 0)
            #expect(try transaction.get("1", in: "new") == ["key": 1, "x": 1])
        }
        #expect(try fields(store, "new") == records)
        try store.read { (transaction) throws in
            #expect(try transaction.description(of: "old") == nil)
            let new = try #require(try transaction.description(of: "new"))
            #expect(new.idField == "key")
            #expect(Set(new.indexes) == [Index("x"), Index("parent")])
            #expect(new.references == [Reference("parent", to: "new", onDelete: .cascade)])
            #expect(
                try transaction.references(of: "pets") == [
                    Reference("owner", to: "new", onDelete: .nullify)
                ]
            )
        }
        try await store.write { _ = try $0.delete("1", in: "new") }
        #expect(try store.read { try $0.get("p", in: "pets") } == ["id": "p", "owner": .null])
    }

    @Test func aTableIsNotMovedOverAnotherNorOutsideOfAStep() async throws {
        let store = try await migrate([["id": "a"]]) { transaction in
            try transaction.put(["id": "b"], in: "full")
            let error = #expect(throws: StoreError.self) {
                try transaction.moveTable("old", to: "full")
            }
            #expect(error?.code == .alreadyThere)
        }
        let error = await #expect(throws: StoreError.self) {
            try await store.write { _ = try $0.moveTable("old", to: "new") }
        }
        #expect(error?.code == .invalidSchema)
    }
}
