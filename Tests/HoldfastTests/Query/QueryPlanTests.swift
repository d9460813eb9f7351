import Holdfast
import Testing

@Suite struct QueryPlanTests {
    private let notes: TableName = "notes"

    @Test func equalityThenOrderRunsOverTheCompoundIndexWithoutASort() async throws {
        let query = Query(notes).where("isPinned", .equals, true).order(
            by: "updatedAt",
            .descending
        )
        let plan = try await plan(of: query.limit(10), indexes: [["isPinned", "updatedAt"]])
        #expect(
            plan == """
                visit index (isPinned, updatedAt) of notes, descending, a range of isPinned
                every record there matches
                stop after 10
                """
        )
    }

    @Test func aFieldThatIsNotIndexedIsTriedOnEachRecord() async throws {
        let query = Query(notes).where("title", .contains, "Br").where("n", .isGreater, 80)
        let plan = try await plan(of: query, indexes: [["n"]])
        #expect(
            plan == """
                visit index (n) of notes, ascending, a range of n
                keep where title contains "Br" and n > 80
                sort by id
                """
        )
    }

    @Test func withoutAnIndexTheOrderIsMadeByASortThatHoldsTheLimit() async throws {
        let query = Query(notes).order(by: "n").order(by: "title", .descending).limit(3)
        #expect(
            try await plan(of: query, indexes: []) == """
                visit table notes by id, ascending, whole
                sort by n, title descending, holding 3
                stop after 3
                """
        )
    }

    @Test func anIDIsLookedUp() async throws {
        let query = Query(notes).where("id", .equals, "note-7").order(by: "n")
        #expect(
            try await plan(of: query, indexes: [["n"]]) == """
                visit table notes by id, ascending, a range of id
                every record there matches
                sort by n
                """
        )
    }

    @Test func orderByIDNeedsNoSortWhileIDsAreText() async throws {
        let query = Query(notes).order(by: "id", .descending)
        #expect(
            try await plan(of: query, indexes: []) == "visit table notes by id, descending, whole"
        )
    }

    @Test func orderByIDIsSortedOnceAnIDIsANumber() async throws {
        let store = try await filled(indexes: [])
        try await store.write { _ = try $0.put(["id": 5], in: "notes") }
        let query = Query(notes).order(by: "id", .descending)
        let plan = try store.read { try $0.explain(query).description }
        #expect(plan.hasSuffix("sort by id descending"))
    }

    @Test func theIndexWithFewerMatchesIsTaken() async throws {
        let query = Query(notes).where("n", .equals, 5).where("isPinned", .equals, true)
        let plan = try await plan(of: query, indexes: [["isPinned"], ["n"]])
        #expect(plan.hasPrefix("visit index (n) of notes"))
    }

    @Test func whatNothingCanMatchIsNotVisited() async throws {
        let query = Query(notes).where("n", .isIn, [])
        let plan = try await plan(of: query, indexes: [["n"]])
        #expect(plan.hasPrefix("visit table notes by id, ascending, nowhere: nothing can match"))
    }

    private func filled(indexes: [[String]]) async throws -> Store {
        let store = try await Store(storage: MemoryStorage())
        for fields in indexes { try await store.createIndex(Index(fields: fields), on: notes) }
        try await store.write { transaction in
            for number in 0..<100 {
                let record: JSONObject = [
                    "id": .string("note-\(number)"),
                    "n": .integer(Int64(number)),
                    "isPinned": .bool(number % 2 == 0),
                ]
                try transaction.put(record, in: "notes")
            }
        }
        return store
    }

    private func plan(of query: Query<JSONObject>, indexes: [[String]]) async throws -> String {
        let store = try await filled(indexes: indexes)
        return try store.read { try $0.explain(query).description }
    }
}
