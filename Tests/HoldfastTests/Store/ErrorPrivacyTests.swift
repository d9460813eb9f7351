import Holdfast
import Testing

private struct Person: Record {
    static let table: TableName = "people"
    var id = RecordID.make()
    var name = ""
    var age = 0.0
    var counts: [String: Int] = [:]
}

/// Its own coding says what it refuses, in an error of each kind.
private struct Talkative: Record {
    static let table: TableName = "people"
    var id = RecordID.make()
    var name = ""
    var refusal = 0

    init() {}

    init(name: String) { self.name = name }

    enum CodingKeys: CodingKey { case id, name, refusal }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let name = try container.decode(String.self, forKey: .name)
        let context = DecodingError.Context(
            codingPath: [CodingKeys.name],
            debugDescription: name,
            underlyingError: Quote(text: name)
        )
        switch try container.decode(Int.self, forKey: .refusal) {
        case 0: throw DecodingError.typeMismatch(Int.self, context)
        case 1: throw DecodingError.valueNotFound(Int.self, context)
        case 2: throw DecodingError.dataCorrupted(context)
        case 3: throw DecodingError.keyNotFound(CodingKeys.name, context)
        default: throw Quote(text: name)
        }
    }

    func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
            name,
            .init(codingPath: [CodingKeys.name], debugDescription: name)
        )
    }

    struct Quote: Error { let text: String }
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

    /// Something that is refused, and how.
    struct Refusal: Sendable {
        let code: StoreError.Code
        let body: @Sendable (inout WriteTransaction) throws -> Void

        init(
            _ code: StoreError.Code,
            _ body: @escaping @Sendable (inout WriteTransaction) throws -> Void
        ) {
            self.code = code
            self.body = body
        }
    }

    private static func talk(_ transaction: inout WriteTransaction, _ refusal: Int64) throws {
        try transaction.patch(id, in: "people", with: ["refusal": .integer(refusal)])
        _ = try transaction.get(Talkative.self, id)
    }

    private static let refusals = [
        Refusal(.wrongType) { transaction in
            try transaction.put(["id": "m", "counts": ["s3cr3t": "x"]], in: "people")
            _ = try transaction.get(Person.self, "m")
        },
        Refusal(.uniqueConflict) { _ = try $0.put(["id": "x", "name": "s3cr3t"], in: "people") },
        Refusal(.missingReference) { _ = try $0.put(["boss": "s3cr3t-none"], in: "people") },
        Refusal(.stillReferenced) { transaction in
            try transaction.put(["id": "s3cr3t-b", "boss": "s3cr3t-id"], in: "people")
            try transaction.delete(id, in: "people")
        },
        Refusal(.idMismatch) { try $0.patch(id, in: "people", with: ["id": "s3cr3t-new"]) },
        Refusal(.noSuchRecord) { try $0.patch("s3cr3t-none", in: "people", with: [:]) },
        Refusal(.invalidID) { _ = try $0.put(["id": "s3cr3t\u{1}"], in: "people") },
        Refusal(.invalidID) { _ = try $0.put(["id": ["s3cr3t"]], in: "people") },
        Refusal(.notEncodable) { _ = try $0.put(Person(name: "s3cr3t", age: .nan)) },
        Refusal(.notEncodable) { _ = try $0.put(["s3cr3t": .double(.infinity)], in: "people") },
        Refusal(.wrongType) { _ = try $0.get(Person.self, id) },
        Refusal(.wrongType) { _ = try $0.fetch(Person.query) },
        Refusal(.notEncodable) { _ = try $0.put(Talkative(name: "s3cr3t")) },
        Refusal(.wrongType) { try talk(&$0, 0) },
        Refusal(.wrongType) { try talk(&$0, 1) },
        Refusal(.wrongType) { try talk(&$0, 2) },
        Refusal(.wrongType) { try talk(&$0, 3) },
        Refusal(.wrongType) { try talk(&$0, 4) },
        Refusal(.invalidCursor) { _ = try $0.fetch(Query("people").after(QueryCursor("s3cr3t"))) },
        Refusal(.invalidQuery) {
            _ = try $0.fetch(Query("people").where("name", .isIn, "s3cr3t"))
        },
    ]

    @Test(arguments: refusals.indices)
    func noErrorQuotesWhatUsersWrote(number: Int) async throws {
        let refusal = Self.refusals[number]
        let store = try await Store(storage: MemoryStorage(), schema: Self.schema)
        try await store.write { transaction in
            _ = try transaction.put(
                ["id": .string(Self.id.text), "name": .string(Self.secret), "age": "s3cr3t"],
                in: "people"
            )
        }
        let error = await #expect(throws: StoreError.self) {
            try await store.write { try refusal.body(&$0) }
        }
        #expect(error?.code == refusal.code)
        #expect(error?.message.contains(Self.secret) == false)
        #expect(error?.description.contains(Self.secret) == false)
    }
}
