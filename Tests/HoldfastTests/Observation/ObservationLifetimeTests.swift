import Holdfast
import HoldfastStorage
import HoldfastTesting
import Testing

/// When observations begin and end, and where their work is done.
@Suite(.timeLimit(.minutes(20))) struct ObservationLifetimeTests {
    private let query = Query("t").order(by: "n").limit(10)

    private func put(_ number: Int64, in store: Store) async throws {
        try await store.write { transaction in
            _ = try transaction.put(["id": .integer(number), "n": .integer(number)], in: "t")
        }
    }

    @Test func cancellationLeaksNothing() async throws {
        let store = try await Store(storage: MemoryStorage())
        let tasks = (0..<50).map { _ in
            Task {
                for try await _ in store.values(query) {}
            }
        }
        while store.observerCount < 50 { await Task.yield() }
        #expect(store.isObserved)
        for task in tasks { task.cancel() }
        for task in tasks {
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(store.observerCount == 0)
        #expect(!store.isObserved)
    }

    @Test func leavingTheLoopEndsTheObservation() async throws {
        let store = try await Store(storage: MemoryStorage())
        for try await _ in store.values(query) { break }
        #expect(store.observerCount == 0)
        #expect(!store.isObserved)
    }

    @Test func afterTheLastObserverAnotherOneIsToldAgain() async throws {
        let store = try await Store(storage: MemoryStorage())
        for round in 1...20 as ClosedRange<Int64> {
            var iterator = store.values(query).makeAsyncIterator()
            _ = try await iterator.next()
            try await put(-round, in: store)
            let next = try await iterator.next()
            #expect(next?.first?["n"] == .integer(-round))
        }
    }

    @Test func aWaitThatIsCancelledCanBeTakenUpAgain() async throws {
        let store = try await Store(storage: MemoryStorage())
        var iterator = store.values(query).makeAsyncIterator()
        _ = try await iterator.next()
        let waiting = Task { [iterator] in
            var iterator = iterator
            return try await iterator.next()
        }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        try await put(1, in: store)
        let next = try await iterator.next()
        #expect(next?.count == 1)
    }

    @Test func closingTheStoreEndsEveryObservationWithAnError() async throws {
        let store = try await Store(storage: MemoryStorage())
        var iterators = (0..<3).map { _ in store.values(query).makeAsyncIterator() }
        for number in iterators.indices { _ = try await iterators[number].next() }
        let first = iterators[0]
        let waiting = Task {
            var iterator = first
            return try await iterator.next()
        }
        try await store.close()
        let error = await #expect(throws: StoreError.self) { try await waiting.value }
        #expect(error?.code == .closed)
        for number in 1...2 {
            let error = await #expect(throws: StoreError.self) {
                try await iterators[number].next()
            }
            #expect(error?.code == .closed)
        }
        var late = store.values(query).makeAsyncIterator()
        let lateError = await #expect(throws: StoreError.self) { try await late.next() }
        #expect(lateError?.code == .closed)
    }

    @Test func aConsumerFarBehindTheFeedStartsAgainFromASnapshot() async throws {
        let storage = MemoryStorage(retainedCommits: 1)
        let store = try await Store(storage: storage)
        var iterator = store.values(query).makeAsyncIterator()
        _ = try await iterator.next()
        for number in 0..<1_000 as Range<Int64> { try await put(number, in: store) }
        var rows: [JSONObject] = []
        let fresh = try store.read { try $0.fetch(query) }
        while rows != fresh { rows = try await iterator.next() ?? [] }
        try await put(-1, in: store)
        let next = try await iterator.next()
        #expect(next?.first?["n"] == -1)
    }

    @Test func oneThousandObserversOnOneStoreAllSeeTheLastCommit() async throws {
        let store = try await Store(storage: MemoryStorage())
        for number in 0..<20 as Range<Int64> { try await put(number, in: store) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<1_000 {
                group.addTask {
                    for try await rows in store.values(query) where rows.first?["n"] == -5 {
                        return
                    }
                }
            }
            while store.observerCount < 1_000 { await Task.yield() }
            for number in 1...5 as ClosedRange<Int64> { try await put(-number, in: store) }
            try await group.waitForAll()
        }
        #expect(store.observerCount == 0)
    }

    @Test func nothingIsReadOnTheConsumersActor() async throws {
        let fileSystem = WatchedFileSystem()
        var options = StoreOptions()
        options.journal.fileSystem = fileSystem
        let store = try await Store.open(at: "store", options: options)
        for number in 0..<30 as Range<Int64> { try await put(number, in: store) }
        fileSystem.forgetCalls()
        try await readOnWatchedActor(store)
        #expect(fileSystem.calls.onActor == 0)
        #expect(fileSystem.calls.elsewhere > 0)
        try await store.close()
    }

    @WatchedActor private func readOnWatchedActor(_ store: Store) async throws {
        var seen = 0
        for try await rows in store.values(query) {
            #expect(WatchedActor.isCurrent)
            seen += 1
            if rows.first?["n"] == -2 { break }
            try await put(seen == 1 ? -1 : -2, in: store)
        }
        #expect(seen == 3)
    }

    @Test func aStoreOpenedForReadingFollowsItsWriter() async throws {
        let disk = SimulatedDisk()
        var options = StoreOptions()
        options.journal.fileSystem = disk
        let writer = try await Store.open(at: "store", options: options)
        try await put(1, in: writer)
        options.access = .read
        let reader = try await Store.open(at: "store", options: options)
        var iterator = reader.values(query).makeAsyncIterator()
        var rows: [JSONObject] = []
        while rows.isEmpty { rows = try await iterator.next() ?? [] }
        try await put(2, in: writer)
        while rows.count < 2 { rows = try await iterator.next() ?? [] }
        #expect(rows.map { $0["n"] } == [1, 2])
        try await reader.close()
        try await writer.close()
    }
}
