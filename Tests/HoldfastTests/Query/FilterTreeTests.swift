import Holdfast
import Testing

@Suite struct FilterTreeTests {
    private static let pinned = Filter("isPinned", .equals, true)
    private static let stars = Filter("stars", .isAtLeast, 4)

    private static let records: [JSONObject] = [
        ["id": "1", "isPinned": true, "stars": 5], ["id": "2", "isPinned": true, "stars": 1],
        ["id": "3", "isPinned": false, "stars": 4], ["id": "4", "stars": .null], ["id": "5"],
    ]

    @Test(
        arguments: [
            (.all(pinned, stars), ["1"]), (.any(pinned, stars), ["1", "2", "3"]),
            (.not(pinned), ["3", "4", "5"]), (.not(stars), ["2", "4", "5"]),
            (.not(.any(pinned, stars)), ["4", "5"]),
            (.not(.all(pinned, stars)), ["2", "3", "4", "5"]),
            (.all(), ["1", "2", "3", "4", "5"]), (.any(), []),
            (.not(.any()), ["1", "2", "3", "4", "5"]),
            (.not(Filter("stars", .isLess, 4)), ["1", "3"]),
            (.not(Filter("stars", .equals, .null)), ["1", "2", "3"]),
            (.not(.search("x", in: "title")), ["1", "2", "3", "4", "5"]),
            (.all([pinned, .not(stars)]), ["2"]),
        ] as [(Filter, [String])]
    )
    func filtersJoinAsTheyRead(_ filter: Filter, _ expected: [String]) async throws {
        let store = try await Store(storage: MemoryStorage())
        try await store.createIndex(Index("stars"), on: "t")
        try await store.createIndex(Index("isPinned", "stars"), on: "t")
        try await store.write { transaction in
            for record in Self.records { try transaction.put(record, in: "t") }
        }
        try store.read { (transaction) throws in
            for plan in try transaction.plans(for: Query("t").filter(filter)) {
                let rows = try transaction.page(Query("t").filter(filter), by: plan).rows
                #expect(rows.map { $0["id"] } == expected.map { .string($0) }, "\(plan)")
            }
        }
        #expect(
            Self.records.filter(filter.matches).map { $0["id"] } == expected.map { .string($0) }
        )
    }

    @Test(
        arguments: [
            (
                .all(pinned, .any(stars, .not(pinned))),
                "isPinned = true and (stars >= 4 or (not isPinned = true))"
            ),
            (.any([pinned]), "isPinned = true"), (.all(), "everything"), (.any(), "nothing"),
            (.not(.all(pinned, stars)), "not (isPinned = true and stars >= 4)"),
            (.search("Bread flo", in: "title", "body"), "title, body search bread flo..."),
        ] as [(Filter, String)]
    )
    func aFilterSaysWhatItIs(_ filter: Filter, _ text: String) {
        #expect(filter.description == text)
    }

    @Test(
        arguments: [
            { Filter.not($0) }, { Filter.all([$0]) }, { Filter.any(pinned, $0) },
        ] as [@Sendable (Filter) -> Filter]
    )
    func aFilterNestedTooDeepIsRefusedAndTrapsNothing(
        _ wrap: @Sendable (Filter) -> Filter
    ) async throws {
        let store = try await Store(storage: MemoryStorage())
        try await store.write { _ = try $0.put(Self.records[0], in: "t") }
        var filter = Self.stars
        for _ in 2...Filter.nestingLimit { filter = wrap(filter) }
        let deepest = filter
        #expect(throws: Never.self) { try store.read { try $0.fetch(Query("t").filter(deepest)) } }
        for _ in 0..<100_000 { filter = wrap(filter) }
        let tooDeep = filter
        let error = #expect(throws: StoreError.self) {
            try store.read { try $0.count(Query("t").filter(tooDeep)) }
        }
        #expect(error?.code == .invalidQuery)
        #expect(!tooDeep.matches(Self.records[0]))
        #expect(!Filter.not(tooDeep).matches(Self.records[0]))
    }
}
