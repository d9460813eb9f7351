import Holdfast
import HoldfastStorage
import HoldfastTesting
import Testing

/// Observers of a store whose change feed does not go back to what they have seen.
@Suite(.timeLimit(.minutes(20))) struct CompactedFeedTests {
    private let query = Query("t").order(by: "n", .descending).limit(3)

    private func put(_ number: Int64, in store: Store) async throws {
        try await store.write { transaction in
            _ = try transaction.put(["id": .integer(number % 8), "n": .integer(number)], in: "t")
        }
    }

    @Test func anObserverMissesNothingWhereTheFeedKeepsNothing() async throws {
        let store = try await Store(storage: MemoryStorage(retainedCommits: 0))
        var iterator = store.values(query).makeAsyncIterator()
        _ = try await iterator.next()
        for number in 1...50 as ClosedRange<Int64> {
            try await put(number, in: store)
            #expect(try await iterator.next()?.first?["n"] == .integer(number))
        }
        #expect(throws: StoreError.self) { try store.commits(after: .zero) }
    }

    @Test func anObserverSeesTheNewestStateBehindACompaction() async throws {
        var configuration = JournalConfiguration()
        configuration.fileSystem = SimulatedDisk()
        configuration.scheduler = HeldScheduler()
        configuration.firstSegmentBytes = 12_288
        configuration.largestSegmentBytes = 12_288
        let storage = try await JournalStorage.open(at: "store", configuration: configuration)
        let store = try await Store(storage: storage)
        var iterator = store.values(query).makeAsyncIterator()
        _ = try await iterator.next()
        var number: Int64 = 0
        for _ in 1...5 {
            for _ in 1...100 {
                number += 1
                try await put(number, in: store)
            }
            try await storage.compact()
            while try await iterator.next()?.first?["n"] != .integer(number) {}
        }
        let error = #expect(throws: StoreError.self) { try store.commits(after: .zero) }
        #expect(error?.code == .changesCompacted)
    }
}
