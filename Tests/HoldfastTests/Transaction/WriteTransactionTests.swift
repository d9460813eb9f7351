import Holdfast
import Testing

@Suite struct WriteTransactionTests {
    private func store() async throws -> Store { try await Store(storage: MemoryStorage()) }

    @Test func whatWasPutIsGotAsItWas() async throws {
        let store = try await store()
        let record: JSONObject = ["n": 1, "id": "a", "x": 1.0, "nested": ["k": [.null, true]]]
        let result = try await store.write { try $0.put(record, in: "notes") }
        #expect(result.id == "a")
        #expect(!result.replaced)
        let stored = try store.read { try $0.get("a", in: "notes") }
        #expect(stored == record)
        #expect(stored?.map(\.name) == ["n", "id", "x", "nested"])
    }

    @Test func aRecordWithoutIDGetsOneInItsIDField() async throws {
        let store = try await store()
        try await store.write { transaction in
            let minted = try transaction.put(["n": 1], in: "notes").id
            let given = try transaction.put(["n": 2], in: "notes", id: "g").id
            #expect(try transaction.get(minted, in: "notes")?["id"] == .string(minted.text))
            #expect(given == "g")
            #expect(try transaction.get("g", in: "notes") == ["n": 2, "id": "g"])
        }
    }

    @Test func mintedIDsComeFromTheStoresOwnClock() async throws {
        let ids = RecordIDGenerator(clock: { 0 }, randomness: { 0 })
        let store = try await Store(storage: MemoryStorage(), ids: ids)
        let id = try await store.write { try $0.put([:], in: "notes").id }
        #expect(id == "00000000-0000-7000-8000-000000000000")
    }

    @Test func aNumberAsIDStaysANumberAndNamesTheSameRecordAsItsText() async throws {
        let store = try await store()
        try await store.write { transaction in
            try transaction.put(["id": 7, "n": 1], in: "notes")
            #expect(try transaction.get("7", in: "notes") == ["id": 7, "n": 1])
            let again = try transaction.put(["id": "7", "n": 2], in: "notes")
            #expect(again.replaced)
            #expect(try transaction.count(of: "notes") == 1)
        }
    }

    @Test(arguments: [.null, true, 1.5, [], ["a": 1], "", "a\nb"] as [JSONValue])
    func anIDThatIsNoneIsRefusedWithItsField(value: JSONValue) async throws {
        let store = try await store()
        let error = await #expect(throws: StoreError.self) {
            try await store.write { _ = try $0.put(["id": value], in: "notes") }
        }
        #expect(error?.code == .invalidID)
        #expect(error?.field == "id")
        #expect(error?.table == "notes")
        #expect(try store.read { try $0.tables() }.isEmpty)
    }

    @Test func anotherIDThanTheRecordsOwnIsRefused() async throws {
        let store = try await store()
        let error = await #expect(throws: StoreError.self) {
            try await store.write { _ = try $0.put(["id": "a"], in: "notes", id: "b") }
        }
        #expect(error?.code == .idMismatch)
    }

    @Test func theIDFieldIsTheOneNamedWhenTheTableWasFirstFilled() async throws {
        let store = try await store()
        try await store.write { transaction in
            try transaction.declare("stations", idField: "code")
            let id = try transaction.put(["code": "HB", "id": 5], in: "stations").id
            #expect(id == "HB")
            let minted = try transaction.put(["name": "x"], in: "stations").id
            #expect(try transaction.get(minted, in: "stations")?["code"] == .string(minted.text))
        }
        try await store.write { transaction in
            try transaction.declare("stations", idField: "code")
            let error = #expect(throws: StoreError.self) {
                try transaction.declare("stations", idField: "id")
            }
            #expect(error?.code == .idFieldMismatch)
        }
        #expect(try store.read { try $0.description(of: "stations") }?.idField == "code")
    }

    @Test func patchSetsAndRemovesFieldsAndKeepsTheRest() async throws {
        let store = try await store()
        try await store.write { transaction in
            try transaction.put(["id": 1, "a": 1, "b": 2, "c": 3], in: "notes")
            try transaction.patch(
                RecordID(1),
                in: "notes",
                with: ["a": .null, "d": 4, "id": "1"],
                removing: ["b"]
            )
            #expect(try transaction.get("1", in: "notes") == ["id": 1, "a": .null, "c": 3, "d": 4])
        }
    }

    @Test func patchNeverChangesTheIDNorMakesARecord() async throws {
        let store = try await store()
        try await store.write { transaction in
            try transaction.put(["id": "a"], in: "notes")
            let changed = #expect(throws: StoreError.self) {
                try transaction.patch("a", in: "notes", with: ["id": "b"])
            }
            let removed = #expect(throws: StoreError.self) {
                try transaction.patch("a", in: "notes", with: [:], removing: ["id"])
            }
            let missing = #expect(throws: StoreError.self) {
                try transaction.patch("b", in: "notes", with: ["x": 1])
            }
            #expect([changed?.code, removed?.code] == [.idMismatch, .idMismatch])
            #expect(missing?.code == .noSuchRecord)
            #expect(try transaction.get("a", in: "notes") == ["id": "a"])
        }
    }

    @Test func deleteSaysWhetherThereWasARecord() async throws {
        let store = try await store()
        try await store.write { transaction in
            try transaction.put(["id": "a"], in: "notes")
            #expect(try transaction.delete("a", in: "notes"))
            #expect(try !transaction.delete("a", in: "notes"))
            #expect(try transaction.get("a", in: "notes") == nil)
        }
    }

    @Test func aThrowRollsTheTransactionBack() async throws {
        let store = try await store()
        await #expect(throws: CancellationError.self) {
            try await store.write { transaction in
                try transaction.put(["id": "a"], in: "notes")
                throw CancellationError()
            }
        }
        try store.read { (transaction) throws in
            #expect(try transaction.tables().isEmpty)
            #expect(try !transaction.contains("a", in: "notes"))
        }
    }

    @Test func aFailedAttemptUndoesItsOwnWritesAlone() async throws {
        let store = try await store()
        try await store.write { transaction in
            try transaction.put(["id": "a"], in: "notes")
            #expect(throws: CancellationError.self) {
                try transaction.attempt { transaction in
                    try transaction.put(["id": "b"], in: "notes")
                    try transaction.put(["key": 1], in: "others")
                    try transaction.declare("third", idField: "key")
                    throw CancellationError()
                }
            }
            try transaction.declare("third", idField: "other")
            try transaction.put(["id": "c"], in: "notes")
        }
        try store.read { (transaction) throws in
            #expect(try transaction.fetch(Query("notes")) == [["id": "a"], ["id": "c"]])
            #expect(try transaction.tables().map(\.name) == ["notes", "third"])
        }
    }

    @Test func tablesOfSimilarNamesDoNotMix() async throws {
        let store = try await store()
        try await store.write { transaction in
            for table in ["a", "aa", "a b", "b"] {
                try transaction.put(["id": "x"], in: TableName(table))
            }
            #expect(try transaction.count(of: "a") == 1)
            #expect(try transaction.fetch(Query("a")) == [["id": "x"]])
            #expect(try transaction.tables().map(\.name.text) == ["a", "a b", "aa", "b"])
        }
    }
}
