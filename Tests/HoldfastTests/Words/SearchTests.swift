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

    @Test func anIndexThatLacksAFieldOfTheSearchIsNotUsed() async throws {
        let store = try await Store(storage: MemoryStorage())
        for fields in [["title"], ["title", "tags"]] {
            try await store.createIndex(Index(fields: fields, kind: .words), on: "t")
        }
        try await store.createIndex(Index("title", "body"), on: "t")
        let query = Query("t").search("bread", in: "body", "title").order(by: "title")
        let plans = try store.read { try $0.plans(for: query).map(\.description) }
        #expect(!plans.contains { $0.contains("words") })
    }

    @Test(
        arguments: [
            ("bread ", ["title"]), ("bread", ["body"]), ("flo br", ["tags", "title"]),
            ("bread flour ", ["body", "title"]), ("7", ["title"]),
        ] as [(String, [String])]
    )
    func anIndexOverMoreFieldsGivesTheSameRecords(_ text: String, _ fields: [String]) async throws {
        let store = try await Store(storage: MemoryStorage())
        try await store.write { transaction in
            for record in Self.records { try transaction.put(record, in: "t") }
        }
        let query = Query("t").filter(.search(text, in: fields))
        let scanned = try store.read { try $0.fetch(query) }
        try await store.createIndex(Index(words: "tags", "title", "body"), on: "t")
        try store.read { transaction in
            let plans = try transaction.plans(for: query)
            #expect(plans.contains { $0.description.contains("gather ids from index (words") })
            for plan in plans {
                #expect(try transaction.page(query, by: plan).rows == scanned, "\(plan)")
                #expect(try transaction.count(query, by: plan) == scanned.count, "\(plan)")
            }
        }
    }

    @Test func ofTwoIndexesThatTellAsMuchTheOneOfTheFieldsIsTaken() async throws {
        for fields in [["title", "body", "tags"], ["title", "body"], ["body", "title", "a"]] {
            let store = try await Store(storage: MemoryStorage())
            for other in [fields, ["title", "body"]] {
                try await store.createIndex(Index(fields: other, kind: .words), on: "t")
            }
            let query = Query("t").search("bread", in: "body", "title").order(by: "title")
            let plans = try store.read { try $0.plans(for: query).map(\.description) }
            #expect(plans.contains { $0.hasPrefix("gather ids from index (words: title, body)") })
        }
    }

    @Test func aLongTextIsSearchedForInTime() async throws {
        let store = try await Store(storage: MemoryStorage())
        try await store.createIndex(Index(words: "title"), on: "t")
        let text = (0..<20_000).map { "w\($0)" }.joined(separator: " ")
        try await store.write { transaction in
            try transaction.put(["id": "1", "title": .string(text)], in: "t")
            try transaction.put(["id": "2", "title": "w1"], in: "t")
        }
        let query = Query("t").search(text + " " + text, in: "title")
        #expect(try store.read { try $0.fetch(query).map { $0["id"] } } == ["1"])
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
