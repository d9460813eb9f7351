import Holdfast
import Testing

private struct Person: Record {
    static let table: TableName = "people"
    var id = RecordID.make()
    var name = ""
    var age = 0.0
}

/// Rule 7: what an error says can be logged; what users wrote stands in its properties alone.
@Suite struct ErrorPrivacyTests {
    private static let secret = "s3cr3t"
    private static let id = RecordID(stringLiteral: "s3cr3t-id")
    private static let schema = Schema(version: 1) {
        Table("people") {
            Index("name", unique: true)
            Reference("boss", to: "people", onDelete: .restrict)
        }
    }

    @Test(
        arguments: [
            (.uniqueConflict, { _ = try $0.put(["id": "other", "name": "s3cr3t"], in: "people") }),
            (.missingReference, { _ = try $0.put(["boss": "s3cr3t-none"], in: "people") }),
            (
                .stillReferenced,
                { transaction in
                    try transaction.put(["id": "s3cr3t-b", "boss": "s3cr3t-id"], in: "people")
                    try transaction.delete(Self.id, in: "people")
                }
            ),
            (.idMismatch, { try $0.patch(Self.id, in: "people", with: ["id": "s3cr3t-new"]) }),
            (.noSuchRecord, { try $0.patch("s3cr3t-none", in: "people", with: [:]) }),
            (.invalidID, { _ = try $0.put(["id": "s3cr3t\u{1}"], in: "people") }),
            (.invalidID, { _ = try $0.put(["id": ["s3cr3t"]], in: "people") }),
            (.notEncodable, { _ = try $0.put(Person(name: "s3cr3t", age: .nan)) }),
            (.notEncodable, { _ = try $0.put(["s3cr3t": .double(.infinity)], in: "people") }),
            (.wrongType, { _ = try $0.get(Person.self, Self.id) }),
            (.wrongType, { _ = try $0.fetch(Person.query) }),
            (
                .invalidCursor,
                { _ = try $0.fetch(Query("people").after(QueryCursor("s3cr3t"))) }
            ),
            (.invalidQuery, { _ = try $0.fetch(Query("people").where("name", .isIn, "s3cr3t")) }),
        ] as [(StoreError.Code, @Sendable (inout WriteTransaction) throws -> Void)]
    )
    func noErrorQuotesWhatUsersWrote(
        code: StoreError.Code,
        body: @Sendable (inout WriteTransaction) throws -> Void
    ) async throws {
        let store = try await Store(storage: MemoryStorage(), schema: Self.schema)
        try await store.write { transaction in
            _ = try transaction.put(
                ["id": .string(Self.id.text), "name": .string(Self.secret), "age": "s3cr3t"],
                in: "people"
            )
        }
        let error = await #expect(throws: StoreError.self) {
            try await store.write { try body(&$0) }
        }
        #expect(error?.code == code)
        #expect(error?.message.contains(Self.secret) == false)
        #expect(error?.description.contains(Self.secret) == false)
        #expect(error.map { "\($0)".contains(Self.secret) } == false)
    }
}
