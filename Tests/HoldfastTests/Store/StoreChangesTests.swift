import Holdfast
import Testing

@Suite struct StoreChangesTests {
    @Test func commitsTellWhatHappenedToRecordsAndNothingOfTheStoreItself() async throws {
        let store = try await Store(storage: MemoryStorage())
        try await store.write { transaction in
            try transaction.put(["id": "a", "n": 1], in: "t")
            try transaction.put(["id": "a", "n": 2], in: "t")
            try transaction.put(["id": "b"], in: "u")
        }
        try await store.createIndex(Index(fields: ["n"]), on: "t")
        try await store.write { _ = try $0.delete("a", in: "t") }

        let commits = try store.commits(after: .zero)
        #expect(commits.map(\.sequenceNumber.rawValue) == [1, 2, 3])
        #expect(commits[0].changes.map(\.table) == ["t", "t", "u"])
        #expect(commits[0].changes.map(\.id) == ["a", "a", "b"])
        #expect(commits[0].changes.map { $0.record?["n"] } == [1, 2, nil])
        #expect(commits[1].changes.isEmpty)
        #expect(commits[2].changes.map(\.kind) == [.delete])
        #expect(commits[2].changes.map(\.record) == [nil])
        #expect(try store.commits(after: commits[1].sequenceNumber) == [commits[2]])
        #expect(try store.commits(after: .zero, limit: 1) == [commits[0]])
        #expect(try store.sequenceNumber == commits[2].sequenceNumber)
    }

    @Test func changesComeInOrderAndNoneIsLostUnderConcurrentWrites() async throws {
        let store = try await Store(storage: MemoryStorage())
        async let seen = collect(200, from: store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    try await store.write { transaction in
                        _ = try transaction.put(["id": .integer(Int64(number))], in: "t")
                    }
                }
            }
            try await group.waitForAll()
        }
        let commits = try await seen
        #expect(commits.map(\.sequenceNumber.rawValue) == Array(1...200))
        #expect(Set(commits.flatMap(\.changes).map(\.id)).count == 200)
    }

    @Test func changesReadAheadAFewCommitsAndNoMore() async throws {
        let store = try await Store(storage: MemoryStorage())
        for _ in 0..<40 { try await store.write { _ = try $0.put([:], in: "t") } }
        var iterator = store.changes(after: .zero).makeAsyncIterator()
        _ = try await iterator.next()
        try await store.close()
        for number in 2...16 as ClosedRange<UInt64> {
            let commit = try await iterator.next()
            #expect(commit?.sequenceNumber.rawValue == number)
        }
        let error = await #expect(throws: StoreError.self) { try await iterator.next() }
        #expect(error?.code == .closed)
    }

    @Test func noCommitIsPassedOverWhereOneCannotBeReadBack() async throws {
        let storage = MemoryStorage()
        let store = try await Store(storage: storage)
        try await store.write { _ = try $0.put(["id": "a"], in: "t") }
        let record = try #require(try storage.changes(after: .zero, limit: 1)[0].changes.last)
        for value in [record.value ?? [], [0xFF, 0xFF], record.value ?? []] {
            try await storage.write(.buffered) { transaction in
                try unsafe transaction.put(value.span.bytes, for: record.key.span.bytes)
            }
        }
        var iterator = store.changes(after: .zero).makeAsyncIterator()
        for number in 1...2 as ClosedRange<UInt64> {
            let commit = try await iterator.next()
            #expect(commit?.sequenceNumber.rawValue == number)
        }
        for _ in 0..<3 {
            let error = await #expect(throws: StoreError.self) { try await iterator.next() }
            #expect(error?.code == .corruption)
            #expect(error?.id == "a")
        }
    }

    @Test func waitingForACommitEndsWithTheTask() async throws {
        let store = try await Store(storage: MemoryStorage())
        let waiting = Task { try await store.waitForCommit(after: .zero) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test func changesEndWithAnErrorWhenTheStoreIsClosed() async throws {
        let store = try await Store(storage: MemoryStorage())
        let task = Task { try await collect(1, from: store) }
        try await store.close()
        let error = await #expect(throws: StoreError.self) { try await task.value }
        #expect(error?.code == .closed)
    }

    @Test func whatTheFeedNoLongerHoldsIsAnError() async throws {
        let store = try await Store(storage: MemoryStorage(retainedCommits: 2))
        for _ in 0..<5 { try await store.write { _ = try $0.put([:], in: "t") } }
        let error = #expect(throws: StoreError.self) { try store.commits(after: .zero) }
        #expect(error?.code == .changesCompacted)
    }
}

private func collect(_ count: Int, from store: Store) async throws -> [StoreCommit] {
    var commits: [StoreCommit] = []
    for try await commit in store.changes(after: .zero) {
        commits.append(commit)
        if commits.count == count { break }
    }
    return commits
}
