import HoldfastStorage

extension StorageConformance {
    static let feedChecks = [
        Check("theFeedGivesEveryCommitInOrder", feedIsComplete),
        Check("theFeedKeepsToItsLimit", feedKeepsToItsLimit),
        Check("aCommitKeepsTheOrderOfItsWrites", commitKeepsOrder),
        Check("waitingReturnsAtOnceForWhatIsPublished", waitingReturnsAtOnce),
        Check("waitingEndsWithTheNextCommit", waitingEndsWithACommit),
        Check("aCancelledWaitThrows", cancelledWaitThrows),
    ]

    private static func feedIsComplete(_ store: any Storage) async throws {
        var expected: [Commit] = []
        for round in 1...30 {
            let number = try await store.commit(Pair("\(round % 7)", "\(round)"))
            let change = Change(key: Bytes("\(round % 7)"), value: Bytes("\(round)"))
            expected.append(Commit(sequenceNumber: number, changes: [change]))
        }
        try expectEqual(expected.map(\.sequenceNumber.rawValue), Array(1...30), "the numbers")
        for start in 0...31 {
            let commits = try store.changes(after: SequenceNumber(UInt64(start)), limit: 100)
            try expectEqual(commits, Array(expected.dropFirst(start)), "the feed after \(start)")
        }
        let last = SequenceNumber(.max)
        try expectEqual(store.changes(after: last, limit: 1), [], "the feed after the last number")
    }

    private static func feedKeepsToItsLimit(_ store: any Storage) async throws {
        for round in 1...10 { try await store.commit(Pair("a", "\(round)")) }
        for limit in 0...11 {
            let numbers = try store.changes(after: SequenceNumber(3), limit: limit)
                .map(\.sequenceNumber.rawValue)
            try expectEqual(numbers, Array((4...10).prefix(limit)), "the feed up to \(limit)")
        }
        let page = try store.changes(after: .zero, limit: .max)
        try expectEqual(page.count, 10, "the feed without a limit")
    }

    private static func commitKeepsOrder(_ store: any Storage) async throws {
        try await store.commit(Pair("c", "0"))
        try await store.commit { transaction in
            try transaction.put("b", "1")
            try transaction.delete("c")
            try transaction.put("a", "2")
            try transaction.put("b", "3")
            try transaction.delete("missing")
        }
        let expected = [
            Change(key: Bytes("b"), value: Bytes("1")), Change(key: Bytes("c"), value: nil),
            Change(key: Bytes("a"), value: Bytes("2")), Change(key: Bytes("b"), value: Bytes("3")),
        ]
        let commits = try store.changes(after: SequenceNumber(1), limit: 5)
        try expectEqual(commits.map(\.changes), [expected], "the changes in order")
    }

    private static func waitingReturnsAtOnce(_ store: any Storage) async throws {
        try await store.commit(Pair("a", "1"))
        let last = try await store.commit(Pair("a", "2"))
        let number = try await store.waitForCommit(after: .zero)
        try expectEqual(number, last, "the greatest published number")
        let next = try await store.waitForCommit(after: SequenceNumber(1))
        try expectEqual(next, last, "the number after the first")
    }

    private static func waitingEndsWithACommit(_ store: any Storage) async throws {
        let first = try await store.commit(Pair("a", "1"))
        let waiters = (0..<8).map { _ in
            Task { try await store.waitForCommit(after: first) }
        }
        let later = Task { try await store.waitForCommit(after: first.next) }
        let second = try await store.commit(Pair("a", "2"))
        for waiter in waiters {
            let number = try await waiter.value
            try expect(number >= second, "a wait ended at \(number), before \(second)")
            let seen = try store.snapshot().sequenceNumber
            try expect(seen >= second, "a wait ended before \(second) could be read")
        }
        let third = try await store.commit(Pair("a", "3"))
        let number = try await later.value
        try expectEqual(number, third, "what a wait for a later commit returned")
    }

    private static func cancelledWaitThrows(_ store: any Storage) async throws {
        let waiter = Task { try await store.waitForCommit(after: .zero) }
        waiter.cancel()
        try await expectCancellation("a cancelled wait") { _ = try await waiter.value }
        let number = try await store.commit(Pair("a", "1"))
        let published = try await store.waitForCommit(after: .zero)
        try expectEqual(published, number, "a wait after a cancelled one")
    }
}
