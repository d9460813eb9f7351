import Holdfast
import Observation
import Testing

private struct Note: Record {
    static let table: TableName = "notes"
    var id = RecordID.make()
    var title = ""
}

@MainActor @Suite(.timeLimit(.minutes(20))) struct LiveQueryTests {
    private func store() async throws -> Store {
        let store = try await Store(storage: MemoryStorage())
        try await store.write { transaction in
            for title in ["a", "b", "c"] { try transaction.put(Note(title: title)) }
        }
        return store
    }

    /// Waits for a change of what `read` reads.
    private func change<Value>(of read: @escaping @MainActor () -> Value) async {
        await withCheckedContinuation { continuation in
            withObservationTracking {
                _ = read()
            } onChange: {
                continuation.resume()
            }
        }
        // What was about to change has changed when this task has its turn again.
        await Task.yield()
    }

    @Test func itLoadsAndStaysUpToDate() async throws {
        let store = try await store()
        let live = LiveQuery(Note.query.order(by: "title"), in: store)
        #expect(!live.isLoaded)
        while !live.isLoaded { await change { live.isLoaded } }
        #expect(live.rows.map(\.title) == ["a", "b", "c"])
        try await store.write { _ = try $0.put(Note(title: "aa")) }
        while live.rows.count < 4 { await change { live.rows.count } }
        #expect(live.rows.map(\.title) == ["a", "aa", "b", "c"])
        #expect(live.error == nil)
    }

    @Test func anotherQueryTakesThePlaceOfTheFirst() async throws {
        let store = try await store()
        let live = LiveQuery(Note.query.order(by: "title"), in: store)
        while !live.isLoaded { await change { live.isLoaded } }
        live.query = Note.query.where("title", .isGreater, "a").order(by: "title", .descending)
        #expect(!live.isLoaded)
        #expect(live.rows.count == 3)
        while !live.isLoaded { await change { live.isLoaded } }
        #expect(live.rows.map(\.title) == ["c", "b"])
    }

    @Test func whatEndsItIsShownAndTheLastResultStays() async throws {
        let store = try await store()
        let live = LiveQuery(Note.query.order(by: "title"), in: store)
        while !live.isLoaded { await change { live.isLoaded } }
        try await store.close()
        while live.error == nil { await change { live.error == nil } }
        #expect((live.error as? StoreError)?.code == .closed)
        #expect(live.rows.count == 3)
    }

    @Test func givingItUpEndsTheObservation() async throws {
        let store = try await store()
        do {
            let live = LiveQuery(Query("notes").order(by: "title"), in: store)
            while !live.isLoaded { await change { live.isLoaded } }
            #expect(store.observerCount == 1)
        }
        while store.observerCount > 0 { await Task.yield() }
        #expect(!store.isObserved)
    }
}
