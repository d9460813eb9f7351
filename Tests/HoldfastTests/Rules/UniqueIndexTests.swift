import Holdfast
import Testing

private struct User: Record {
    static let table: TableName = "users"
    var id = RecordID.make()
    var email: String?
    var realm = 0
}

@Suite struct UniqueIndexTests {
    private static let long = String(repeating: "x", count: 400)

    private func store(
        usesIndexes: Bool = true,
        _ index: Index = Index("email", unique: true)
    ) async throws -> Store {
        let schema = Schema(version: 1) { Table("users") { index } }
        return try await Store(
            storage: MemoryStorage(),
            schema: schema,
            usesIndexes: usesIndexes
        )
    }

    private func conflict(
        _ store: Store,
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Void
    ) async -> StoreError? {
        let error = await #expect(throws: StoreError.self) {
            try await store.write { try body(&$0) }
        }
        #expect(error?.code == .uniqueConflict)
        return error
    }

    @Test(arguments: [true, false])
    func everyWayToWriteIsRefusedASecondRecordWithTheSameValue(usesIndexes: Bool) async throws {
        let store = try await store(usesIndexes: usesIndexes)
        try await store.write { transaction in
            try transaction.put(User(id: "a", email: "x"))
            try transaction.put(User(id: "b", email: "y"))
        }
        for write in [
            { _ = try $0.put(User(id: "c", email: "x")) },
            { _ = try $0.put(User(id: "b", email: "x")) },
            { _ = try $0.put(["id": "c", "email": "x"], in: "users") },
            { try $0.patch("b", in: "users", with: ["email": "x"]) },
        ] as [@Sendable (inout WriteTransaction) throws -> Void] {
            let error = await conflict(store, write)
            #expect(error?.table == "users")
            #expect(error?.id == "c" || error?.id == "b")
            #expect(error?.otherTable == "users")
            #expect(error?.otherID == "a")
            #expect(error?.field == "email")
            #expect(error?.message.contains("email") == true)
        }
        #expect(try store.read { try $0.fetch(User.query) }.map(\.email) == ["x", "y"])
    }

    @Test(arguments: [true, false])
    func nullAndMissingAreNoValue(usesIndexes: Bool) async throws {
        let store = try await store(
            usesIndexes: usesIndexes,
            Index("email", "realm", unique: true)
        )
        try await store.write { transaction in
            for id in ["a", "b"] as [RecordID] {
                try transaction.put(["email": "x"], in: "users", id: id)
            }
            for id in ["c", "d"] as [RecordID] {
                try transaction.put(["email": .null, "realm": 1], in: "users", id: id)
            }
            try transaction.put(["id": "e", "email": "x", "realm": 1], in: "users")
            try transaction.put(["id": "f", "email": "x", "realm": 2], in: "users")
        }
        let error = await conflict(store) {
            _ = try $0.put(["id": "g", "email": "x", "realm": 1.0], in: "users")
        }
        #expect(error?.otherID == "e")
        #expect(error?.field == nil)
    }

    @Test(arguments: [true, false])
    func longValuesThatBeginAlikeAreToldApart(usesIndexes: Bool) async throws {
        let store = try await store(
            usesIndexes: usesIndexes,
            Index("email", "realm", unique: true)
        )
        try await store.write { transaction in
            try transaction.put(User(id: "a", email: Self.long + "a", realm: 1))
            try transaction.put(User(id: "b", email: Self.long + "b", realm: 1))
            try transaction.put(User(id: "c", email: Self.long + "a", realm: 2))
        }
        let error = await conflict(store) {
            _ = try $0.put(User(id: "d", email: Self.long + "b", realm: 1))
        }
        #expect(error?.otherID == "b")
    }

    @Test(arguments: [true, false])
    func aTransactionSeesItsOwnWritesAndDeletions(usesIndexes: Bool) async throws {
        let store = try await store(usesIndexes: usesIndexes)
        try await store.write { transaction in
            try transaction.put(User(id: "a", email: "x"))
            #expect(throws: StoreError.self) { try transaction.put(User(id: "b", email: "x")) }
            try transaction.delete("a", in: "users")
            try transaction.put(User(id: "b", email: "x"))
            try transaction.put(User(id: "b", email: "x", realm: 1))
            try transaction.patch("b", in: "users", with: ["email": "y"])
            try transaction.put(User(id: "a", email: "x"))
            try? transaction.attempt { transaction in
                try transaction.delete("a", in: "users")
                throw CancellationError()
            }
            #expect(throws: StoreError.self) { try transaction.put(User(id: "c", email: "x")) }
        }
        #expect(try store.read { try $0.fetch(User.query) }.map(\.email) == ["x", "y"])
    }

    @Test func anIndexOverRecordsThatAreNotUniqueIsNotDeclared() async throws {
        let storage = MemoryStorage()
        let store = try await Store(storage: storage)
        try await store.write { transaction in
            for (id, email) in [("a", "x"), ("b", "y"), ("c", Self.long), ("d", Self.long)] {
                try transaction.put(User(id: RecordID(id), email: email))
            }
        }
        let number = try store.sequenceNumber
        let schema = Schema(version: 1) {
            Table("users") {
                Index("realm")
                Index("email", unique: true)
            }
        }
        for declare in [
            { _ = try await store.createIndex(Index("email", unique: true), on: "users") },
            { _ = try await Store(storage: storage, schema: schema) },
        ] {
            let error = await #expect(throws: StoreError.self) { try await declare() }
            #expect(error?.code == .uniqueConflict)
            #expect(Set([error?.id, error?.otherID]) == ["c", "d"])
            #expect(try store.sequenceNumber == number)
            #expect(try store.indexes(of: "users").isEmpty)
        }
        try await store.write { try $0.patch("d", in: "users", with: ["email": "z"]) }
        try await store.createIndex(Index("email", unique: true), on: "users")
        _ = await conflict(store) { _ = try $0.put(User(email: "z")) }
    }

    @Test func withoutTheRulesNothingIsChecked() async throws {
        let store = try await store()
        try await store.write { transaction in
            try transaction.put(User(id: "a", email: "x"))
            try transaction.withoutRules { _ = try $0.put(User(id: "b", email: "x")) }
            #expect(throws: StoreError.self) { try transaction.put(User(id: "c", email: "x")) }
        }
        #expect(try store.read { try $0.count(of: "users") } == 2)
    }
}
