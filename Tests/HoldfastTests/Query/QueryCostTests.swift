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

    @Test func whatHasALimitReadsNothingBehindItsLastRecord() async throws {
        let store = try await filled(Index("at"))
        let early = Query("notes").where("title", .begins, "Bread")
        #expect(try reads(store) { try $0.first(early) }.values == 8)
        #expect(try reads(store) { try $0.exists(early) }.values == 8)
        #expect(try reads(store) { try $0.fetch(early.limit(2)) }.values == 108)
        #expect(try reads(store) { try $0.page(early.limit(2)).rows }.values == 208)
        let newest = Query("notes").order(by: "at", .descending)
        #expect(try reads(store) { try $0.first(newest) }.values == 1)
        #expect(try reads(store) { try $0.fetch(newest.limit(50)) }.values == 50)
        #expect(try reads(store) { try $0.sum(of: "at", in: newest.limit(50)) }.values == 50)
    }

    @Test func aWordsIndexOfMoreFieldsServesASearch() async throws {
        let store = try await filled(Index(words: "title", "folder"))
        try await store.write { transaction in
            _ = try transaction.put(["id": "other", "folder": "bread flour"], in: "notes")
        }
        let query = Query("notes").search("flour bread ", in: "title")
        let reads = try reads(store) { try $0.fetch(query).count }
        #expect(reads.result == 10)
        #expect(reads.values == 11)
        #expect(try store.read { try $0.count(query) } == 10)
        try await store.createIndex(Index(words: "title"), on: "notes")
        #expect(try self.reads(store) { try $0.fetch(query) }.values == 10)
    }

    @Test func aSumHoldsAndSortsNoKeys() async throws {
        let store = try await filled(Index("at"))
        let query = Query("notes").where("at", .isLess, 100)
        let (sum, reads) = try store.read { transaction in
            try storage.reads { try transaction.sum(of: "at", in: query) }
        }
        #expect(sum == 4_950)
        #expect(reads.keys == 100)
        #expect(reads.keysInARow == 1)
    }

    @Test func manyIDsAmongManyMoreAreLookedUpOneByOne() async throws {
        let storage = storage
        let store = try await Store(storage: storage)
        _ = try await storage.write(.buffered) { transaction in
            for number in 100_000..<120_000 {
                let value = try Document.encode(["id": .string("n\(number)")])
                let key = Array("t\0n\(number)".utf8)
                try unsafe transaction.put(value.span.bytes, for: key.span.bytes)
            }
        }
        let ids = (0..<1_200).map { JSONValue.string("n\($0 * 17 % 20_000 + 100_000)") }
        let query = Query("t").where("id", .isIn, .array(ids))
        let (count, reads) = try store.read { transaction in
            try storage.reads { try transaction.fetch(query).count }
        }
        #expect(count == 1_200)
        #expect(reads.values == 1_201)
        #expect(reads.keys == 0)
    }

    @Test func aSortReadsAgainOnlyWhatItGives() async throws {
        let store = try await filled()
        let query = Query("notes").order(by: "at").limit(5)
        #expect(try reads(store) { try $0.fetch(query) }.values == 1_005)
        #expect(try reads(store) { try $0.first(query) }.values == 1_001)
        #expect(try reads(store) { try $0.page(query).rows }.values == 1_006)
    }

    @Test func theLeastAndTheGreatestValueAreReadOffAnIndex() async throws {
        let store = try await filled(Index("at"), Index("folder", "at"))
        let all = Query("notes")
        let folder = all.where("folder", .equals, 3)
        for query in [all, folder] {
            let expected = try store.read { try $0.fetch(query) }.compactMap { $0["at"] }
            let least = try reads(store) { try $0.minimum(of: "at", in: query) }
            #expect(least.result == expected.min { $0.precedes($1) })
            #expect(least.values == 1)
            let greatest = try reads(store) { try $0.maximum(of: "at", in: query) }
            #expect(greatest.result == expected.max { $0.precedes($1) })
            #expect(greatest.values == 1)
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
        #expect(byID.values == 5)
        let byTime = try reads(store) { try $0.fetch(query.order(by: "at", .descending)) }
        #expect(byTime.values == 5)
    }

    @Test func equalValuesAreSortedByTheRestOfTheOrderAGroupAtATime() async throws {
        let store = try await filled(Index("folder"))
        let query = Query("notes").order(by: "folder", .descending).order(by: "at").limit(5)
        let plan = try store.read { try $0.explain(query).description }
        #expect(plan.contains("sort records with equal folder descending by at, holding 5"))
        let reads = try reads(store) { try $0.fetch(query) }
        #expect(reads.values == 105)
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
