import Holdfast
import Testing

@Suite struct SearchTests {
    private static let records: [JSONObject] = [
        ["id": "1", "title": "Bread", "body": "500 g of flour, don't knead"],
        ["id": "2", "title": "Brot", "body": "Mehl und Wasser"],
        ["id": "3", "title": "Soup", "tags": ["bread crumbs", 7, "flower"]],
        ["id": "4", "title": 500, "body": .null],
        ["id": "5", "title": "Breadth first", "body": ["nested": "bread"]],
        ["id": "6", "body": [["bread"], "flo"]],
    ]

    @Test(
        arguments: [
            ("bread", ["1", "3", "5"]), ("bread ", ["1", "3"]), ("br", ["1", "2", "3", "5"]),
            ("bread flo", ["1", "3"]), ("flo bread", []), ("flour bread", ["1"]),
            ("bread flour!", ["1"]),
            ("flo", ["1", "3", "6"]), ("flo ", ["6"]), ("flo fl", ["6"]), ("500", ["1"]),
            ("DON\u{2019}T", ["1"]), ("dont", ["1"]), ("kne", ["1"]), ("ead", []), ("7", []),
            ("", ["1", "2", "3", "4", "5", "6"]), (" ?! ", ["1", "2", "3", "4", "5", "6"]),
        ] as [(String, [String])]
    )
    func aSearchGivesTheRecordsWithEveryWord(_ text: String, _ expected: [String]) async throws {
        let store = try await Store(storage: MemoryStorage())
        try await store.write { transaction in
            for record in Self.records { try transaction.put(record, in: "t") }
        }
        let query = Query("t").search(text, in: "title", "body", "tags")
        let scanned = try store.read { try $0.fetch(query) }
        #expect(scanned.map { $0["id"] } == expected.map { .string($0) })
        try await store.createIndex(Index(words: "tags", "title", "body"), on: "t")
        try store.read { (transaction) throws in
            for plan in try transaction.plans(for: query) {
                #expect(try transaction.page(query, by: plan).rows == scanned, "\(plan)")
            }
        }
        let met = Self.records.filter { record in query.filters.allSatisfy { $0.matches(record) } }
        #expect(met == scanned)
    }

    @Test func onlyAnIndexOverExactlyTheFieldsIsUsed() async throws {
        let store = try await Store(storage: MemoryStorage())
        for fields in [["title"], ["title", "body", "tags"]] {
            try await store.createIndex(Index(fields: fields, kind: .words), on: "t")
        }
        try await store.createIndex(Index("title", "body"), on: "t")
        let query = Query("t").search("bread", in: "body", "title").order(by: "title")
        let plans = try store.read { try $0.plans(for: query).map(\.description) }
        #expect(!plans.contains { $0.contains("words") })
        try await store.createIndex(Index(words: "title", "body"), on: "t")
        let with = try store.read { try $0.plans(for: query).map(\.description) }
        #expect(with.contains { $0.hasPrefix("gather ids from index (words: title, body)") })
    }

    @Test func aSearchWithoutFieldsIsRefused() async throws {
        let store = try await Store(storage: MemoryStorage())
        let query = Query("t").filter(.search("bread", in: [String]()))
        let error = #expect(throws: StoreError.self) { try store.read { try $0.fetch(query) } }
        #expect(error?.code == .invalidQuery)
    }

    @Test func aChangedTextIsFoundByItsNewWordsOnly() async throws {
        let store = try await Store(storage: MemoryStorage())
        try await store.createIndex(Index(words: "title"), on: "t")
        try await store.write { _ = try $0.put(["id": "1", "title": "Bread and soup"], in: "t") }
        try await store.write { transaction in
            try transaction.patch("1", in: "t", with: ["title": "Bread and tea"])
            #expect(try transaction.count(Query("t").search("tea", in: "title")) == 1)
        }
        let counts = try store.read { transaction in
            try ["soup", "tea", "bread"].map {
                try transaction.count(Query("t").search($0, in: "title"))
            }
        }
        #expect(counts == [0, 1, 1])
    }
}
