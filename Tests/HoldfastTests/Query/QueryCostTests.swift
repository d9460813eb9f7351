import Holdfast
import Testing

/// What queries read, counted.
@Suite struct QueryCostTests {
    private let storage = CountingStorage()

    /// A thousand notes: two of three pinned, in ten folders, every hundredth about bread.
    private func filled(_ indexes: Index...) async throws -> Store {
        let store = try await Store(storage: storage)
        for index in indexes { try await store.createIndex(index, on: "notes") }
        try await store.write { transaction in
            for number in 0..<1_000 as Range<Int64> {
                let note: JSONObject = [
                    "id": .string("n\(number + 1_000)"), "isPinned": .bool(number % 3 != 0),
                    "folder": .integer(number % 10), "at": .integer(number * 7919 % 1_000),
                    "title": .string(number % 100 == 7 ? "Bread and flour" : "Soup with flour"),
                ]
                try transaction.put(note, in: "notes")
            }
        }
        return store
    }

    /// What `body` gives, and what it reads beside the table's own record, which planning reads.
    private func reads<Result>(
        _ store: Store,
        _ body: (borrowing ReadTransaction) throws -> Result
    ) throws -> (result: Result, values: Int, keys: Int) {
        try store.read { transaction in
            let (result, reads) = try storage.reads { try body(transaction) }
            return (result, reads.values - 1, reads.keys)
        }
    }

    @Test func aPageDeepInAGroupOfEqualValuesReadsOnlyItself() async throws {
        let store = try await filled(Index("isPinned"))
        for direction in FieldOrder.Direction.allCases {
            let query = Query("notes").order(by: "isPinned", direction)
            let cursor = try store.read { try $0.page(query.limit(500)).next }
            let reads = try reads(store) { try $0.page(query.limit(5).after(cursor)) }
            #expect(reads.values == 6)
            #expect(reads.keys == 6)
        }
    }

    @Test func theLeastAndTheGreatestValueAreReadOffAnIndex() async throws {
        let store = try await filled(Index("at"), Index("folder", "at"))
        let all = Query("notes")
        let folder = all.where("folder", .equals, 3)
        for query in [all, folder] {
            let expected = try store.read { try $0.fetch(query) }.compactMap { $0["at"] }
            let least = try reads(store) { try $0.minimum(of: "at", in: query) }
            #expect(least.result == expected.min { $0.precedes($1) })
            #expect(least.values <= 2)
            let greatest = try reads(store) { try $0.maximum(of: "at", in: query) }
            #expect(greatest.result == expected.max { $0.precedes($1) })
            #expect(greatest.values <= 2)
        }
    }

    @Test func aSearchReadsOnlyTheRecordsThatHaveTheRarestWord() async throws {
        let store = try await filled(Index(words: "title"))
        let query = Query("notes").search("flour bread ", in: "title")
        let reads = try reads(store) { try $0.fetch(query).count }
        #expect(reads.result == 10)
        #expect(reads.values == 10)
        let counting = try self.reads(store) { try $0.count(query) }
        #expect(counting.result == 10)
        #expect(counting.values == 0)
    }

    @Test func aSearchForACommonWordEndsWithTheLimit() async throws {
        let store = try await filled(Index(words: "title"), Index("at"))
        let query = Query("notes").search("flour", in: "title").limit(5)
        let byID = try reads(store) { try $0.fetch(query).count }
        #expect(byID.result == 5)
        #expect(byID.values <= 6)
        let byTime = try reads(store) { try $0.fetch(query.order(by: "at", .descending)) }
        #expect(byTime.values <= 6)
    }

    @Test func equalValuesAreSortedByTheRestOfTheOrderAGroupAtATime() async throws {
        let store = try await filled(Index("folder"))
        let query = Query("notes").order(by: "folder", .descending).order(by: "at").limit(5)
        let plan = try store.read { try $0.explain(query).description }
        #expect(plan.contains("sort records with equal folder descending by at, holding 5"))
        let reads = try reads(store) { try $0.fetch(query) }
        #expect(reads.values < 110)
    }

    @Test func aFilterThatHardlyAnythingMeetsCostsNoMoreThanTheTableTwice() async throws {
        let store = try await filled(Index("at"), Index("folder"))
        let rare = Query("notes").where("title", .equals, "none").order(by: "at").limit(5)
        #expect(try reads(store) { try $0.fetch(rare) }.values <= 1_000)
        // The folder bounds the matches: better all of it than maybe all of the table.
        let folder = rare.where("folder", .equals, 3)
        #expect(try reads(store) { try $0.fetch(folder) }.values <= 100)
    }

    @Test func recordsThatOneOfSeveralIndexesNamesAreReadOnce() async throws {
        let store = try await filled(Index("at"), Index("folder"), Index(words: "title"))
        let query = Query("notes").filter(
            .any(
                Filter("at", .isLess, 10),
                .search("bread", in: "title"),
                .all(Filter("folder", .equals, 7), Filter("at", .isLess, 20))
            )
        )
        let expected = try store.read { try $0.fetch(query).count }
        let reads = try reads(store) { try $0.fetch(query) }
        #expect(reads.values < 3 * expected)
    }
}
