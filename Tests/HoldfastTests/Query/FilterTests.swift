import Holdfast
import Testing

/// What each comparison means, by example.
@Suite struct FilterTests {
    private static let records: [JSONObject] = [
        ["id": "missing"],
        ["id": "null", "v": .null],
        ["id": "false", "v": false],
        ["id": "one", "v": 1],
        ["id": "one.0", "v": 1.0],
        ["id": "big", "v": 9_007_199_254_740_993],
        ["id": "text", "v": "Bread"],
        ["id": "array", "v": [1, "Bread"]],
        ["id": "object", "v": ["a": 1]],
    ]

    @Test(
        arguments: [
            (.equals, .null, ["missing", "null"]),
            (.equals, 1, ["one", "one.0"]),
            (.equals, 1.0, ["one", "one.0"]),
            (.equals, 9_007_199_254_740_992.0, []),
            (.isGreater, 9_007_199_254_740_992.0, ["array", "big", "object", "text"]),
            (.equals, ["a": 1.0], ["object"]),
            (.differs, 1, ["array", "big", "false", "missing", "null", "object", "text"]),
            (.isLess, 1, ["false", "missing", "null"]),
            (.isAtMost, false, ["false", "missing", "null"]),
            (.isAtLeast, "Bread", ["array", "object", "text"]),
            (.isGreater, [1], ["array", "object"]),
            (.contains, "rea", ["text"]),
            (.contains, "", ["text"]),
            (.contains, "Bread", ["array", "text"]),
            (.contains, 1.0, ["array"]),
            (.begins, "Br", ["text"]),
            (.begins, "r", []),
            (.isIn, [.null, "Bread", 1], ["missing", "null", "one", "one.0", "text"]),
            (.isIn, [], []),
            (
                .isIn, [["a": 1.0], "b", [1, "Bread"], 2, "a", 1.0, true],
                ["array", "object", "one", "one.0"]
            ),
            (.isIn, [9_007_199_254_740_993, "c", 0, false, 0, [2], 0], ["big", "false"]),
        ] as [(Filter.Comparison, JSONValue, [String])]
    )
    func comparisonsHoldForTheRecordsNamed(
        comparison: Filter.Comparison,
        value: JSONValue,
        expected: [String]
    ) async throws {
        let store = try await Store(storage: MemoryStorage())
        try await store.write { transaction in
            for record in Self.records { try transaction.put(record, in: "t") }
        }
        let query = Query("t").where("v", comparison, value)
        let unindexed = try store.read { try $0.fetch(query) }
        try await store.createIndex(Index(fields: ["v"]), on: "t")
        try store.read { (transaction) throws in
            for plan in try transaction.plans(for: query) {
                let rows = try transaction.page(query, by: plan).rows
                #expect(rows == unindexed)
            }
        }
        #expect(unindexed.map { $0["id"] } == expected.map { .string($0) })
    }

    @Test(arguments: [
        Filter("v", .isIn, 1), Filter("v", .begins, 1), Filter("v", .begins, .null),
    ])
    func aComparisonThatCannotMeanAnythingIsRefused(filter: Filter) async throws {
        let store = try await Store(storage: MemoryStorage())
        let query = Query("t").filter(filter)
        let fetched = #expect(throws: StoreError.self) { try store.read { try $0.fetch(query) } }
        let counted = #expect(throws: StoreError.self) { try store.read { try $0.count(query) } }
        #expect([fetched?.code, counted?.code] == [.invalidQuery, .invalidQuery])
        #expect(fetched?.field == "v")
    }

    @Test func aValueNestedDeeperThanRecordsHoldIsRefused() async throws {
        let store = try await Store(storage: MemoryStorage())
        try await store.write { _ = try $0.put(["id": "x", "v": [[1]]], in: "t") }
        var value: JSONValue = 1
        for _ in 0..<10_000 { value = [value] }
        for comparison in [Filter.Comparison.equals, .isIn, .isLess] {
            let error = #expect(throws: StoreError.self) {
                try store.read { try $0.count(Query("t").where("v", comparison, value)) }
            }
            #expect(error?.code == .invalidQuery)
        }
    }

    @Test func aNegativeLimitIsRefused() async throws {
        let store = try await Store(storage: MemoryStorage())
        let error = #expect(throws: StoreError.self) {
            try store.read { try $0.fetch(Query("t").limit(-1)) }
        }
        #expect(error?.code == .invalidQuery)
    }

    @Test func ordersRunFromNullToObjectsWithTiesByAscendingID() async throws {
        let store = try await Store(storage: MemoryStorage())
        try await store.write { transaction in
            for record in Self.records.reversed() { try transaction.put(record, in: "t") }
        }
        let ids = { (direction: FieldOrder.Direction) in
            try store.read { try $0.fetch(Query("t").order(by: "v", direction)) }.map { $0["id"] }
        }
        let ascending: [JSONValue] = [
            "missing", "null", "false", "one", "one.0", "big", "text", "array", "object",
        ]
        let descending: [JSONValue] = [
            "object", "array", "text", "big", "one", "one.0", "false", "missing", "null",
        ]
        #expect(try ids(.ascending) == ascending)
        #expect(try ids(.descending) == descending)
    }
}
