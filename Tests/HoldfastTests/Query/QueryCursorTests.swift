import Holdfast
import Testing

@Suite struct QueryCursorTests {
    private let query = Query("t").where("n", .isAtLeast, 0).order(by: "n").limit(2)

    private func filled(_ count: Int64) async throws -> Store {
        let store = try await Store(storage: MemoryStorage())
        try await store.write { transaction in
            for number in 0..<count {
                try transaction.put(["id": .integer(number), "n": .integer(number / 3)], in: "t")
            }
        }
        return store
    }

    @Test func theLastPageHasNoCursor() async throws {
        let store = try await filled(4)
        let first = try store.read { try $0.page(query) }
        let second = try store.read { try $0.page(query.after(first.next)) }
        #expect(first.rows.count == 2)
        #expect(first.next != nil)
        #expect(second.rows.count == 2)
        #expect(second.next == nil)
    }

    @Test func aVisitThatIsEndedGivesTheCursorBehindItsLastRecord() async throws {
        let store = try await filled(4)
        let next = try store.read { transaction in
            try transaction.forEach(query.limit(nil)) { id, _ in id != "1" }
        }
        let rest = try store.read { try $0.fetch(query.after(next)) }
        #expect(rest.map { $0["id"] } == [2, 3])
    }

    @Test func aCursorIsTextThatAShellLeavesAlone() async throws {
        let store = try await filled(4)
        let cursor = try #require(try store.read { try $0.page(query).next })
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        #expect(Set(cursor.description).isSubset(of: plain))
        let again = QueryCursor(cursor.description)
        #expect(try store.read { try $0.fetch(query.after(again)) }.count == 2)
    }

    @Test(arguments: [
        Query("u").where("n", .isAtLeast, 0).order(by: "n"),
        Query("t").where("n", .isAtLeast, 1).order(by: "n"),
        Query("t").where("n", .isGreater, 0).order(by: "n"),
        Query("t").where("n", .isAtLeast, 0).order(by: "n", .descending),
        Query("t").where("n", .isAtLeast, 0),
    ])
    func aCursorOfAnotherQueryIsRefused(other: Query<JSONObject>) async throws {
        let store = try await filled(4)
        let cursor = try store.read { try $0.page(query).next }
        let error = #expect(throws: StoreError.self) {
            try store.read { try $0.fetch(other.after(cursor)) }
        }
        #expect(error?.code == .invalidCursor)
        #expect(error?.message.contains("another query") == true)
    }

    @Test func noDamagedCursorTrapsOrPasses() async throws {
        let store = try await filled(4)
        let text = try #require(try store.read { try $0.page(query).next }).description
        let damaged =
            ["", "=", "é", "A", "AA", "bnVsbA", "W10", "WzEsMiwzXQ", text + "A", text + "AAAA"]
            + text.indices.map { String(text[..<$0]) }
        for cursor in damaged {
            let error = #expect(throws: StoreError.self) {
                try store.read { try $0.fetch(query.after(QueryCursor(cursor))) }
            }
            #expect(error?.code == .invalidCursor)
        }
    }

    @Test func aCursorHoldsAValueNestedAsDeepAsARecordMayHoldOne() async throws {
        let store = try await Store(storage: MemoryStorage())
        var deep: JSONValue = 0
        for _ in 0..<JSONValue.nestingLimit { deep = [deep] }
        let value = deep
        try await store.write { transaction in
            for number in 0..<5 as Range<Int64> {
                try transaction.put(["id": .integer(number), "n": value], in: "t")
            }
        }
        let query = Query("t").order(by: "n", .descending).limit(2)
        let first = try store.read { try $0.page(query) }
        let second = try store.read { try $0.page(query.after(first.next)) }
        #expect((first.rows + second.rows).map { $0["id"] } == [0, 1, 2, 3])
    }

    @Test func pagesOfALargeGroupOfEqualValuesAreComplete() async throws {
        let store = try await Store(storage: MemoryStorage())
        try await store.createIndex(Index(fields: ["same"]), on: "t")
        try await store.write { transaction in
            for number in 0..<700 as Range<Int64> {
                try transaction.put(["id": .integer(number), "same": true], in: "t")
            }
            try transaction.put(["id": "first", "same": "x"], in: "t")
            try transaction.put(["id": "last", "same": false], in: "t")
        }
        let query = Query("t").order(by: "same", .descending)
        let whole = try store.read { try $0.fetch(query) }.map { $0["id"] }
        let keys = whole.dropFirst().dropLast().map { NaiveQuery.id(["id": $0 ?? .null], "id") }
        #expect(whole.count == 702)
        #expect(whole.first == "first")
        #expect(whole.last == "last")
        #expect(zip(keys, keys.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })

        var paged: [JSONValue?] = []
        var cursor: QueryCursor?
        repeat {
            let page = try store.read { try $0.page(query.limit(100).after(cursor)) }
            paged += page.rows.map { $0["id"] }
            cursor = page.next
        } while cursor != nil
        #expect(paged == whole)
    }
}
