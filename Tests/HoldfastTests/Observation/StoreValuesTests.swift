import Holdfast
import HoldfastStorage
import Testing

private struct Note: Record {
    static let table: TableName = "notes"
    var id = RecordID.make()
    var title = ""
    var stars = 0
}

/// What a consumer of `values(_:)` is promised.
@Suite(.timeLimit(.minutes(20))) struct StoreValuesTests {
    private let best = Note.query.order(by: "stars", .descending).limit(3)

    private func store(_ notes: Note...) async throws -> Store {
        let store = try await Store(storage: MemoryStorage())
        try await store.write { transaction in
            for note in notes { try transaction.put(note) }
        }
        return store
    }

    @Test func theFirstValueComesAtOnceAlsoWhenItIsEmpty() async throws {
        let store = try await store()
        var iterator = store.values(best).makeAsyncIterator()
        let first = try await iterator.next()
        #expect(first?.isEmpty == true)
    }

    @Test func aValueComesAfterACommitThatChangesTheResult() async throws {
        let store = try await store(Note(id: "a", stars: 1))
        var iterator = store.values(best).makeAsyncIterator()
        var titles: [[String]] = []
        titles.append(try await iterator.next()?.map(\.id.text) ?? [])
        for (id, stars) in [("b", 5), ("c", 0), ("d", 2)] {
            try await store.write { _ = try $0.put(Note(id: RecordID(id), stars: stars)) }
            titles.append(try await iterator.next()?.map(\.id.text) ?? [])
        }
        #expect(titles == [["a"], ["b", "a"], ["b", "a", "c"], ["b", "d", "a"]])
    }

    /// Writes what must bring no value, then what brings one: the next value is the last one's.
    private func nextValue(
        of store: Store,
        afterWritingUnseen body: @Sendable (inout WriteTransaction) throws -> Void
    ) async throws -> [Note] {
        var iterator = store.values(best).makeAsyncIterator()
        _ = try await iterator.next()
        async let next = iterator.next()
        try await store.write { try body(&$0) }
        try await store.write { _ = try $0.put(Note(id: "z", title: "last", stars: 100)) }
        return try await next ?? []
    }

    @Test func noValueComesWhenARecordIsWrittenAsItWas() async throws {
        let store = try await store(Note(id: "a", title: "x", stars: 1))
        let next = try await nextValue(of: store) { transaction in
            _ = try transaction.put(Note(id: "a", title: "x", stars: 1))
        }
        #expect(next.map(\.title) == ["last", "x"])
    }

    @Test func noValueComesForAFieldThatTheTypeDoesNotKnow() async throws {
        let store = try await store(Note(id: "a", title: "x", stars: 1))
        let next = try await nextValue(of: store) { transaction in
            try transaction.patch("a", in: "notes", with: ["colour": "red"])
        }
        #expect(next.map(\.title) == ["last", "x"])
    }

    /// S22.
    @Test func aCommitOfFiveThousandRecordsBringsOneValue() async throws {
        let store = try await store()
        var iterator = store.values(Note.query.order(by: "stars")).makeAsyncIterator()
        _ = try await iterator.next()
        try await store.write { transaction in
            for number in 0..<5_000 {
                try transaction.put(Note(id: RecordID(Int64(number)), stars: number))
            }
        }
        let next = try await iterator.next()
        #expect(next?.map(\.stars) == Array(0..<5_000))
        async let after = iterator.next()
        try await store.write { _ = try $0.delete("7", in: "notes") }
        let last = try await after
        #expect(last?.count == 4_999)
    }

    @Test func aSlowConsumerGetsTheNewestResultAndNoneThatWasOvertaken() async throws {
        let store = try await store()
        var iterator = store.values(best).makeAsyncIterator()
        _ = try await iterator.next()
        for number in 0..<2_000 {
            try await store.write { _ = try $0.put(Note(id: "a", stars: number)) }
        }
        var newest = 0
        var count = 0
        while newest != 1_999 {
            newest = try #require(try await iterator.next()?.first?.stars)
            count += 1
        }
        // One may be computed while the last commits are still being told.
        #expect(count <= 2)
    }

    @Test func aRecordThatLeavesALimitedResultIsReplacedByTheNext() async throws {
        let notes = (0..<10).map { Note(id: RecordID(Int64($0)), stars: $0) }
        let store = try await store()
        try await store.write { transaction in
            for note in notes { try transaction.put(note) }
        }
        var iterator = store.values(best).makeAsyncIterator()
        var seen: [[Int]] = [try await iterator.next()?.map(\.stars) ?? []]
        for id in [9, 8, 7] as [Int64] {
            try await store.write { _ = try $0.delete(RecordID(id), in: "notes") }
            seen.append(try await iterator.next()?.map(\.stars) ?? [])
        }
        #expect(seen == [[9, 8, 7], [8, 7, 6], [7, 6, 5], [6, 5, 4]])
    }

    @Test func aPageIsObservedFromItsCursorOn() async throws {
        let store = try await store()
        try await store.write { transaction in
            for number in 0..<5 as Range<Int64> {
                try transaction.put(Note(id: RecordID(number), stars: Int(number)))
            }
        }
        let query = Note.query.order(by: "stars").limit(2)
        let cursor = try store.read { try $0.page(query).next }
        var iterator = store.values(query.after(cursor)).makeAsyncIterator()
        var seen: [[Int]] = [try await iterator.next()?.map(\.stars) ?? []]
        try await store.write { transaction in
            try transaction.put(Note(id: "0", stars: 1))
            try transaction.put(Note(id: "within", stars: 2))
        }
        seen.append(try await iterator.next()?.map(\.stars) ?? [])
        #expect(seen == [[2, 3], [2, 2]])
    }

    @Test func everyWayOfWritingIsSeen() async throws {
        let store = try await store()
        var iterator = store.values(Query("notes").order(by: "n")).makeAsyncIterator()
        _ = try await iterator.next()
        var seen: [[JSONValue?]] = []
        try await store.write { _ = try $0.put(["id": "a", "n": 1], in: "notes") }
        seen.append(try await iterator.next()?.map { $0["n"] } ?? [])
        try await store.write { try $0.patch("a", in: "notes", with: ["n": 2]) }
        seen.append(try await iterator.next()?.map { $0["n"] } ?? [])
        try await store.write { try $0.attempt { _ = try $0.delete("a", in: "notes") } }
        seen.append(try await iterator.next()?.map { $0["n"] } ?? [])
        #expect(seen == [[1], [2], []])
    }

    @Test func whatDoesNotFitTheTypeEndsItWithTheRecordNamed() async throws {
        let store = try await store()
        var iterator = store.values(best).makeAsyncIterator()
        _ = try await iterator.next()
        try await store.write { _ = try $0.put(["id": "a", "title": 1, "stars": 1], in: "notes") }
        for _ in 0..<2 {
            let error = await #expect(throws: StoreError.self) { try await iterator.next() }
            #expect(error?.code == .wrongType)
            #expect(error?.id == "a")
            #expect(error?.field == "title")
        }
    }

    @Test func aQueryThatCannotMeanAnythingIsRefused() async throws {
        let store = try await store()
        var iterator = store.values(Note.query.limit(-1)).makeAsyncIterator()
        let error = await #expect(throws: StoreError.self) { try await iterator.next() }
        #expect(error?.code == .invalidQuery)
    }
}
