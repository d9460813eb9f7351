import Holdfast
import Testing

@Suite struct ReferenceTests {
    private func store(
        _ onDelete: Reference.DeleteRule,
        usesIndexes: Bool = true
    ) async throws -> Store {
        let schema = Schema(version: 1) {
            Table("folders") { Reference("parent", to: "folders", onDelete: onDelete) }
            Table("notes") { Reference("folder", to: "folders", onDelete: onDelete) }
        }
        let store = try await Store(
            storage: MemoryStorage(),
            schema: schema,
            usesIndexes: usesIndexes
        )
        try await store.write { transaction in
            try transaction.put(["id": "root"], in: "folders")
            try transaction.put(["id": "a", "parent": "root"], in: "folders")
            try transaction.put(["id": 7, "parent": "a"], in: "folders")
            try transaction.put(["id": "n1", "folder": "a"], in: "notes")
            try transaction.put(["id": "n2", "folder": 7], in: "notes")
            try transaction.put(["id": "n3", "folder": .null], in: "notes")
            try transaction.put(["id": "n4", "folder": "7"], in: "notes")
        }
        return store
    }

    private func ids(_ store: Store, _ table: TableName) throws -> [RecordID] {
        try store.read { (transaction) throws in
            var ids: [RecordID] = []
            try transaction.forEach(Query(table)) { id, _ in
                ids.append(id)
                return true
            }
            return ids
        }
    }

    @Test(arguments: [true, false])
    func aReferenceToNoRecordIsRefusedWhenTheTransactionEnds(usesIndexes: Bool) async throws {
        let store = try await store(.restrict, usesIndexes: usesIndexes)
        let error = await #expect(throws: StoreError.self) {
            try await store.write { transaction in
                try transaction.put(["id": "n5", "folder": "gone"], in: "notes")
                #expect(try transaction.get("n5", in: "notes") != nil)
            }
        }
        #expect(error?.code == .missingReference)
        #expect(error?.table == "notes")
        #expect(error?.id == "n5")
        #expect(error?.field == "folder")
        #expect(error?.otherTable == "folders")
        #expect(error?.otherID == "gone")
        #expect(try store.read { try $0.get("n5", in: "notes") } == nil)
    }

    @Test func theOrderOfTheWritesInATransactionDoesNotMatter() async throws {
        let store = try await store(.restrict)
        try await store.write { transaction in
            try transaction.put(["id": "n5", "folder": "new"], in: "notes")
            try transaction.put(["id": "n6", "folder": "gone"], in: "notes")
            try transaction.put(["id": "n7", "folder": "gone"], in: "notes")
            try transaction.put(["id": "new", "parent": "new"], in: "folders")
            try transaction.patch("n6", in: "notes", with: ["folder": .null])
            try transaction.delete("n7", in: "notes")
        }
        #expect(try store.read { try $0.get("n5", in: "notes") } != nil)
    }

    @Test func whatASavepointTookBackIsNotHeldAgainstTheTransaction() async throws {
        let store = try await store(.restrict)
        try await store.write { transaction in
            try? transaction.attempt { transaction in
                try transaction.put(["id": "n5", "folder": "gone"], in: "notes")
                throw CancellationError()
            }
        }
        // A record from elsewhere that is not this transaction's to answer for.
        try await store.write { transaction in
            try transaction.withoutRules { transaction in
                _ = try transaction.put(["id": "n6", "folder": "gone"], in: "notes")
            }
            try? transaction.attempt { transaction in
                try transaction.patch("n6", in: "notes", with: ["folder": "gone too"])
                throw CancellationError()
            }
        }
        let error = await #expect(throws: StoreError.self) {
            try await store.write { transaction in
                try transaction.put(["id": "n5", "folder": "new"], in: "notes")
                try? transaction.attempt { transaction in
                    try transaction.put(["id": "new"], in: "folders")
                    try transaction.delete("n5", in: "notes")
                    throw CancellationError()
                }
            }
        }
        #expect(error?.code == .missingReference)
    }

    @Test(arguments: [true, 5.5, [], [:], [1]] as [JSONValue])
    func whatIsNoIDIsRefused(value: JSONValue) async throws {
        let store = try await store(.restrict)
        let error = await #expect(throws: StoreError.self) {
            try await store.write { _ = try $0.put(["id": "n5", "folder": value], in: "notes") }
        }
        #expect(error?.code == .missingReference)
        #expect(error?.otherID == nil)
    }

    @Test(arguments: [true, false])
    func aRecordThatIsReferredToIsNotDeleted(usesIndexes: Bool) async throws {
        let store = try await store(.restrict, usesIndexes: usesIndexes)
        let number = try store.sequenceNumber
        let error = await #expect(throws: StoreError.self) {
            try await store.write { _ = try $0.delete("7", in: "folders") }
        }
        #expect(error?.code == .stillReferenced)
        #expect(error?.table == "folders")
        #expect(error?.id == "7")
        #expect(error?.otherTable == "notes")
        #expect(["n2", "n4"].contains(error?.otherID))
        #expect(error?.message.hasPrefix("2 records of table notes still refer") == true)
        #expect(try store.sequenceNumber == number)

        try await store.write { transaction in
            try transaction.delete("n2", in: "notes")
            try transaction.patch("n4", in: "notes", with: ["folder": "a"])
            try transaction.delete("7", in: "folders")
        }
        #expect(try store.read { try $0.get("7", in: "folders") } == nil)
    }

    @Test func recordsThatHoldADeletionBackAreCountedFieldByField() async throws {
        let schema = Schema(version: 1) {
            Table("people")
            Table("notes") {
                Reference("author", to: "people", onDelete: .restrict)
                Reference("editor", to: "people", onDelete: .restrict)
            }
        }
        let store = try await Store(storage: MemoryStorage(), schema: schema)
        let error = await #expect(throws: StoreError.self) {
            try await store.write { transaction in
                try transaction.put(["id": "ada"], in: "people")
                try transaction.put(["id": "n1", "author": "ada", "editor": "ada"], in: "notes")
                try transaction.put(["id": "n2", "editor": "ada"], in: "notes")
                try transaction.put(["id": "n3", "editor": "ada"], in: "notes")
                try transaction.delete("ada", in: "people")
            }
        }
        let isAuthor = error?.field == "author"
        #expect(isAuthor || error?.field == "editor")
        #expect(error?.message.hasPrefix(isAuthor ? "A record" : "3 records") == true)
        #expect(error?.otherID == "n1")
    }

    @Test(arguments: [true, false])
    func aCascadeTakesAlongWhatRefersToWhatItTakes(usesIndexes: Bool) async throws {
        let store = try await store(.cascade, usesIndexes: usesIndexes)
        try await store.write { _ = try $0.delete("a", in: "folders") }
        #expect(try ids(store, "folders") == ["root"])
        #expect(try ids(store, "notes") == ["n3"])
    }

    @Test(arguments: [true, false])
    func aFieldThatRefersToADeletedRecordBecomesNull(usesIndexes: Bool) async throws {
        let store = try await store(.nullify, usesIndexes: usesIndexes)
        try await store.write { _ = try $0.delete("7", in: "folders") }
        try store.read { (transaction) throws in
            for id in ["n2", "n3", "n4"] as [RecordID] {
                #expect(try transaction.get(id, in: "notes")?["folder"] == .null)
            }
            #expect(try transaction.get("n1", in: "notes")?["folder"] == "a")
        }
    }

    @Test func aNullWhereTheTypeWantsAValueSaysWhatToDo() async throws {
        struct Note: Record {
            static let table: TableName = "notes"
            var id = RecordID.make()
            var folder: RecordID = "none"
        }
        let store = try await store(.nullify)
        try await store.write { _ = try $0.delete("7", in: "folders") }
        let error = #expect(throws: StoreError.self) {
            try store.read { _ = try $0.get(Note.self, "n2") }
        }
        #expect(error?.code == .wrongType)
        #expect(error?.field == "folder")
        #expect(error?.message.contains("make the property optional") == true)
    }

    @Test func aCascadeOverACycleAndADeepChainEnds() async throws {
        let store = try await store(.cascade)
        try await store.write { transaction in
            for number in 0..<5_000 {
                let parent = number == 0 ? "c4999" : "c\(number - 1)"
                try transaction.put(
                    ["id": .string("c\(number)"), "parent": .string(parent)],
                    in: "folders"
                )
            }
        }
        try await store.write { _ = try $0.delete("c2500", in: "folders") }
        #expect(try store.read { try $0.count(of: "folders") } == 3)
    }

    @Test func aRecordThatGoesAlongHoldsNothingBack() async throws {
        let schema = Schema(version: 1) {
            Table("a") { Reference("self", to: "a", onDelete: .restrict) }
            Table("b") {
                Reference("a", to: "a", onDelete: .restrict)
                Reference("other", to: "a", onDelete: .cascade)
            }
        }
        let store = try await Store(storage: MemoryStorage(), schema: schema)
        try await store.write { transaction in
            try transaction.put(["id": "x", "self": "x"], in: "a")
            try transaction.put(["id": "y", "a": "x", "other": "x"], in: "b")
            try transaction.delete("x", in: "a")
            #expect(try transaction.count(of: "b") == 0)
        }
    }

    @Test func aReferenceOverRecordsThatDoNotKeepItIsNotDeclared() async throws {
        let storage = MemoryStorage()
        let plain = try await Store(storage: storage)
        try await plain.write { _ = try $0.put(["id": "a", "b": "none"], in: "a") }
        let schema = Schema(version: 1) { Table("a") { Reference("b", to: "b") } }
        let error = await #expect(throws: StoreError.self) {
            _ = try await Store(storage: storage, schema: schema)
        }
        #expect(error?.code == .missingReference)
        #expect(error?.id == "a")
        #expect(try plain.read { try $0.schemaVersion() } == nil)
        #expect(try plain.indexes(of: "a").isEmpty)
    }

    @Test func longIDsThatBeginAlikeAreToldApart() async throws {
        let store = try await store(.cascade)
        let long = String(repeating: "x", count: 400)
        try await store.write { transaction in
            for end in ["a", "b"] {
                try transaction.put(["id": .string(long + end)], in: "folders")
                try transaction.put(
                    ["id": .string("n" + end), "folder": .string(long + end)],
                    in: "notes"
                )
            }
            try transaction.delete(RecordID(long + "a"), in: "folders")
            #expect(try transaction.get("na", in: "notes") == nil)
            #expect(try transaction.get("nb", in: "notes") != nil)
        }
    }
}
