import HoldfastStorage
import HoldfastTesting
import Testing

/// What a reader in another process sees while writers come, are killed, and go.
@Suite struct FollowerScenarioTests {
    private static func kill(_ store: TestStore) -> TestStore {
        TestStore(store.disk.image().afterKill())
    }

    @Test func aFollowerOutlivesARecoveryOfWhatItHasShown() async throws {
        let store = TestStore()
        let writer = try await store.open()
        for number in 1...3 { try await writer.put("\(number)", for: "key \(number)") }
        let killed = Self.kill(store)
        // Nobody writes: the last commit is shown, though nothing proves it yet.
        let follower = try await killed.follow()
        #expect(try follower.contents().count == 3)
        // Recovery writes that commit again, into the next segment.
        let second = try await killed.open()
        #expect(second.recoveryReport.rewritten == 1)
        try await second.put("4", for: "key 4")
        await killed.scheduler.run(for: .milliseconds(20))
        #expect(try follower.refresh() == SequenceNumber(4))
        #expect(try follower.contents() == second.contents())
        #expect(try follower.changes(after: .zero, limit: 10).count == 4)
    }

    @Test func aFollowerKeepsItsIndexesWhenItReadsAllAnew() async throws {
        let store = TestStore()
        let writer = try await store.open()
        for number in 1...3 { try await writer.put("\(number)", for: "key \(number)") }
        let killed = Self.kill(store)
        let follower = try await killed.follow()
        let index = IndexDefinition(name: "value", version: 1) { _, value, emit in emit(value) }
        try await follower.setIndexes([index])
        let second = try await killed.open()
        try await second.close()
        try follower.refresh()
        #expect(try follower.snapshot().countIndex("value", in: .all) == 3)
    }

    @Test func aFollowerShowsNothingOfALiveWriterThatIsNotDurable() async throws {
        let store = TestStore()
        let writer = try await store.open()
        try await writer.put("1", for: "first")
        try await writer.put("2", for: "second", .buffered)
        let follower = try await store.follow()
        #expect(try follower.contents() == ["first": "1"])
        await store.scheduler.run(for: .seconds(1))
        await store.scheduler.run(for: .milliseconds(20))
        try follower.refresh()
        #expect(try follower.contents() == ["first": "1", "second": "2"])
    }

    @Test func aFollowerThatWaitsReadsAlmostNothing() async throws {
        let store = TestStore()
        let writer = try await store.open()
        try await writer.put("1", for: "first")
        await store.scheduler.run(for: .milliseconds(20))
        let follower = try await store.follow()
        try follower.refresh()
        let before = store.disk.counters
        try follower.refresh()
        // The place where the next frame will stand, and the next segment's header.
        #expect(store.disk.counters.bytesRead - before.bytesRead <= 48 + 8_192)
    }

    @Test func aFollowerGoesOnOverManySegmentsAndRecoveries() async throws {
        var store = TestStore()
        var follower = try await opened(store)
        var expected: [String: String] = [:]
        for round in 1...6 {
            let writer = try await store.open()
            for number in 1...25 {
                let key = "\(round) \(number)"
                try await writer.put(TestStore.filler(number), for: key)
                expected[key] = TestStore.filler(number)
            }
            if round.isMultiple(of: 2) {
                try await writer.close()
            } else {
                store = Self.kill(store)
                follower = try await store.follow()
            }
            try follower.refresh()
            #expect(try follower.contents() == expected)
        }
    }

    private func opened(_ store: TestStore) async throws -> JournalFollower {
        let writer = try await store.open()
        try await writer.close()
        return try await store.follow()
    }
}
