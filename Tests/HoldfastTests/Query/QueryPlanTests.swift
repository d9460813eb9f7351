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
                gather ids from index (n), a range of n
                visit their records of notes by id, ascending
                keep where title contains "Br" and n > 80
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

    @Test(arguments: [["a", "b"], ["b", "a"], ["n", "m"], ["m", "n"]])
    func inAnEmptyTableTheIndexThatSaysTheMostIsTaken(_ fields: [String]) async throws {
        let store = try await Store(storage: MemoryStorage())
        for index in [[fields[0]], [fields[1]], fields, fields.reversed()] {
            try await store.createIndex(Index(fields: index), on: notes)
        }
        let (first, second) = (fields[0], fields[1])
        let query = Query(notes).where(first, .equals, 1).order(by: second).limit(3)
        #expect(
            try store.read { try $0.explain(query).description } == """
                visit index (\(first), \(second)) of notes, ascending, a range of \(first)
                every record there matches
                stop after 3
                """
        )
    }

    @Test func aPlanFollowsWhatIsDeclaredFromOneQueryToTheNext() async throws {
        let store = try await filled(indexes: [])
        let query = Query(notes).where("n", .equals, 3).order(by: "id")
        func plan() throws -> String { try store.read { try $0.explain(query).description } }
        #expect(try plan().hasPrefix("visit table"))
        try await store.createIndex(Index("n"), on: notes)
        #expect(try plan().hasPrefix("visit index (n)"))
        try await store.createIndex(Index("n"), on: "others")
        try await store.dropIndex(Index("n"), on: notes)
        #expect(try plan().hasPrefix("visit table"))
        #expect(try !plan().contains("sort"))
        try await store.write { _ = try $0.put(["id": 5], in: "notes") }
        #expect(try plan().contains("sort by id"))
    }

    @Test func whatNothingCanMatchIsNotVisited() async throws {
        let query = Query(notes).where("n", .isIn, [])
        let plan = try await plan(of: query, indexes: [["n"]])
        #expect(plan.contains("nowhere: nothing can match"))
    }

    @Test(
        arguments: [
            (
                .any(Filter("n", .isLess, 3), Filter("n", .equals, 7)),
                "index (n), 2 ranges of n", true
            ),
            (.not(Filter("n", .isIn, [1, 98])), "index (n), 3 ranges of n", true),
            (Filter("n", .differs, 3), "index (n), 2 ranges of n", true),
            (.not(Filter("n", .isLess, 98)), "index (n), a range of n", true),
            (.any(Filter("n", .isLess, 3), Filter("n", .isAtLeast, 2)), "table notes", true),
            (
                .any(
                    .all(Filter("n", .isLess, 3), Filter("title", .contains, "Br")),
                    Filter("n", .isGreater, 97)
                ),
                "index (n), 2 ranges of n", false
            ),
        ] as [(Filter, String, Bool)]
    )
    func branchesBecomeRanges(_ filter: Filter, _ text: String, _ isExact: Bool) async throws {
        let store = try await filled(indexes: [["n"]])
        let plans = try store.read { transaction in
            try transaction.plans(for: Query(notes).filter(filter)).map(\.description)
        }
        let isSaid = plans.contains { plan in
            plan.contains(text) && plan.contains("every record there matches") == isExact
        }
        #expect(isSaid, "\(plans)")
    }

    @Test func branchesOfTwoFieldsBecomeRangesOfACompoundIndex() async throws {
        let filter = Filter.any(
            .all(Filter("isPinned", .equals, true), Filter("n", .isGreater, 90)),
            .all(Filter("isPinned", .equals, false), Filter("n", .isLess, 5))
        )
        let plan = try await plan(
            of: Query(notes).filter(filter).order(by: "isPinned").order(by: "n"),
            indexes: [["isPinned", "n"]]
        )
        #expect(
            plan == """
                visit index (isPinned, n) of notes, ascending, 2 ranges of isPinned, n
                every record there matches
                """
        )
    }

    @Test func branchesOfTwoIndexesAreGathered() async throws {
        let filter = Filter.any(Filter("n", .equals, 3), Filter("id", .equals, "note-9"))
        #expect(
            try await plan(of: Query(notes).filter(filter), indexes: [["n"]]) == """
                gather ids from index (n), a range of n
                gather ids from table notes, a range of id
                visit their records of notes by id, ascending
                every record there matches
                """
        )
    }

    @Test func anOrderInBothDirectionsIsSortedInGroups() async throws {
        let query = Query(notes).order(by: "n").order(by: "title", .descending).limit(3)
        #expect(
            try await plan(of: query, indexes: [["n", "title"]]) == """
                visit index (n, title) of notes, ascending, whole
                sort records with equal n by title descending, holding 3
                stop after 3
                """
        )
    }

    @Test func equalityWithMoreValuesThanRangesIsOneRange() async throws {
        let many = (0..<5_000 as Range<Int64>).map { JSONValue.integer($0 * 2) }
        let store = try await filled(indexes: [["n"]])
        let query = Query(notes).where("n", .isIn, .array(many)).order(by: "n")
        let plans = try store.read { try $0.plans(for: query).map(\.description) }
        let range = "visit index (n) of notes, ascending, a range of n\nkeep where"
        #expect(plans.contains { $0.hasPrefix(range) })
    }

    @Test func moreBranchesThanAreToldApartStillBoundTheirFields() async throws {
        let parts = (0..<500 as Range<Int64>).map { number in
            Filter.all(
                Filter("n", .equals, .integer(number % 40)),
                Filter("title", .differs, .integer(number))
            )
        }
        let query = Query(notes).filter(.any(parts))
        let plan = try await plan(of: query, indexes: [["n"]])
        #expect(plan.hasPrefix("gather ids from index (n), 40 ranges of n\n"))
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
