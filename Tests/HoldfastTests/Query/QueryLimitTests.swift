import Holdfast
import Testing

@Suite struct QueryLimitTests {
    private static let long = String(repeating: "x", count: 400)

    /// A table that is sorted, read over an index, and over an index whose keys are cut.
    private static let queries = [
        Query("t"),
        Query("t").order(by: "n"),
        Query("t").order(by: "n", .descending),
        Query("t").order(by: "indexed"),
        Query("t").order(by: "indexed", .descending),
        Query("t").order(by: "long"),
        Query("t").order(by: "long", .descending),
        Query("t").where("long", .isGreater, "a").order(by: "long"),
    ]

    private func filled() async throws -> Store {
        let store = try await Store(storage: MemoryStorage())
        try await store.createIndex(Index(fields: ["indexed"]), on: "t")
        try await store.createIndex(Index(fields: ["long"]), on: "t")
        try await store.write { transaction in
            for number in 0..<40 as Range<Int64> {
                let record: JSONObject = [
                    "n": .integer(number % 7), "indexed": .integer(number % 5),
                    "long": .string(Self.long + String(number % 11)),
                ]
                try transaction.put(record, in: "t")
            }
        }
        return store
    }

    @Test(arguments: queries, [Int.max, .max - 1, 41])
    func aLimitBeyondTheRecordsIsNone(_ query: Query<JSONObject>, _ limit: Int) async throws {
        let store = try await filled()
        let limited = query.limit(limit)
        try store.read { (transaction) throws in
            let all = try transaction.fetch(query)
            #expect(all.count == 40)
            for plan in try transaction.plans(for: limited) {
                let page = try transaction.page(limited, by: plan)
                #expect(page.rows == all, "\(plan)")
                #expect(page.next == nil)
            }
            #expect(try transaction.count(limited) == 40)
            #expect(try transaction.exists(limited))
            #expect(try transaction.first(limited) == all.first)
            let cursor = try transaction.page(query.limit(10)).next
            let rest = try transaction.page(limited.after(cursor))
            #expect(rest.rows == Array(all.dropFirst(10)))
            #expect(try transaction.count(limited.after(cursor)) == 30)
        }
    }

    @Test(arguments: queries, [Int.min, -1])
    func aNegativeLimitIsRefused(_ query: Query<JSONObject>, _ limit: Int) async throws {
        let store = try await filled()
        let limited = query.limit(limit)
        try store.read { (transaction) throws in
            for attempt in [
                { try $0.fetch(limited).count }, { try $0.count(limited) },
                { try $0.exists(limited) ? 1 : 0 }, { try $0.first(limited)?.count ?? 0 },
                { try $0.explain(limited).description.count },
                {
                    _ = try $0.forEach(limited) { _, _ in true }
                    return 0
                },
            ] as [(borrowing ReadTransaction) throws -> Int] {
                let error = #expect(throws: StoreError.self) { try attempt(transaction) }
                #expect(error?.code == .invalidQuery)
            }
        }
    }

    @Test(arguments: [Int.max, .max - 1, 0, -1, .min])
    func noLimitOrNumberOfTheFeedTraps(_ limit: Int) async throws {
        let store = try await filled()
        for start in [0, 1, 2, 3, 4, .max - 1, .max] as [UInt64] {
            let commits = try store.commits(after: SequenceNumber(start), limit: limit)
            let expected = limit > 0 && start < 3 ? 3 - Int(start) : 0
            #expect(commits.count == expected)
        }
    }
}
