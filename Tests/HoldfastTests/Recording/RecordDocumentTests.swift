import Holdfast
import HoldfastStorage
import Testing

@Suite struct RecordDocumentTests {
    private static let schema = Schema(version: 1) {
        Table("folders")
        Table("notes") {
            Index("slug", unique: true)
            Reference("folder", to: "folders", onDelete: .cascade)
        }
    }

    private func store() async throws -> Store {
        try await Store(storage: MemoryStorage(), schema: Self.schema)
    }

    @Test func whatOthersDecidedIsWrittenWhateverTheRulesSay() async throws {
        let store = try await store()
        try await store.write { transaction in
            for id in ["a", "b"] as [RecordID] {
                try transaction.putDocument(
                    ["id": .string(id.text), "slug": "same", "folder": "none"],
                    of: id,
                    in: "notes"
                )
            }
        }
        try await store.write { transaction in
            try transaction.put(["id": "f"], in: "folders")
            try transaction.put(["id": "c", "folder": "f"], in: "notes")
            #expect(try transaction.deleteDocument(of: "f", in: "folders"))
            #expect(try !transaction.deleteDocument(of: "f", in: "folders"))
            #expect(try transaction.contains("c", in: "notes"))
        }
        let same = Query("notes").where("slug", .equals, "same")
        #expect(try store.read { try $0.count(same) } == 2)
    }

    @Test func aDocumentIsReadAsTheBytesThatWereWritten() async throws {
        let store = try await store()
        let document = try Document.encode(["n": 1, "id": "a"])
        try await store.write { try $0.putDocument(document, of: "a", in: "unknown") }
        try store.read { transaction in
            let stored = try transaction.document(of: "a", in: "unknown")
            #expect(stored == document)
            #expect(try transaction.document(of: "b", in: "unknown") == nil)
            #expect(try transaction.get("a", in: "unknown") == ["n": 1, "id": "a"])
            #expect(try transaction.description(of: "unknown")?.count == 1)
            #expect(try transaction.idField(of: "unknown") == "id")
        }
    }

    @Test(arguments: [["n": 1], ["id": "other", "n": 1], ["id": .null, "n": 1]] as [JSONObject])
    func noRecordStandsUnderAnIDThatIsNotItsOwn(object: JSONObject) async throws {
        let store = try await store()
        try await store.write { transaction in
            try transaction.putDocument(object, of: "a", in: "notes")
            try transaction.putDocument(Document.encode(object), of: "b", in: "notes")
        }
        try store.read { transaction in
            for id in ["a", "b"] as [RecordID] {
                let stored = try transaction.get(id, in: "notes")
                #expect(stored?["id"] == .string(id.text))
            }
        }
    }

    @Test func aNumberAsIDStaysOneAndOrdersAsOne() async throws {
        let store = try await store()
        try await store.write { transaction in
            for number in [10, 9] as [Int64] {
                let document = try Document.encode(["id": .integer(number)])
                try transaction.putDocument(document, of: RecordID(number), in: "notes")
            }
        }
        let found = try store.read { try $0.fetch(Query("notes").order(by: "id")) }
        #expect(found.map { $0["id"] } == [9, 10])
    }

    @Test func documentsAreVisitedBehindAnID() async throws {
        let store = try await store()
        try await store.write { transaction in
            for id in ["a", "b", "c"] as [RecordID] {
                try transaction.putDocument([:], of: id, in: "t")
            }
            try transaction.putDocument([:], of: "d", in: "u")
        }
        var ids: [RecordID] = []
        try store.read { transaction in
            try transaction.scanDocuments(in: "t", after: "a") { id, _ in
                ids.append(id)
                return true
            }
        }
        #expect(ids == ["b", "c"])
    }

    @Test func bytesThatAreNoDocumentAreRefused() async throws {
        let store = try await store()
        let error = await #expect(throws: StoreError.self) {
            try await store.write { try $0.putDocument([9, 9], of: "a", in: "notes") }
        }
        #expect(error?.code == .corruption)
        #expect(try store.read { try $0.count(of: "notes") } == 0)
    }
}
