import HoldfastStorage

extension StorageConformance {
    static let closingChecks = [
        Check("closingTwiceDoesNothing", closingTwiceDoesNothing),
        Check("aClosedStoreRefusesEverything", closedStoreRefuses),
        Check("aSnapshotThatIsHeldOutlivesTheStore", snapshotOutlivesTheStore),
        Check("closingWakesThoseWhoWait", closingWakesWaiters),
        Check("closingWaitsForNoSnapshotAndLosesNoCommit", closingLosesNoCommit),
    ]

    private static func closingTwiceDoesNothing(_ store: any Storage) async throws {
        try await store.commit(Pair("a", "1"))
        try await store.close()
        try await store.close()
    }

    private static func closedStoreRefuses(_ store: any Storage) async throws {
        try await store.commit(Pair("a", "1"))
        try await store.close()
        try expectError(.closed, "a snapshot") { _ = try store.snapshot() }
        try expectError(.closed, "the feed") { _ = try store.changes(after: .zero, limit: 1) }
        try await expectError(.closed, "a write") { try await store.commit(Pair("b", "2")) }
        try await expectError(.closed, "setIndexes") { try await store.setIndexes([]) }
        try await expectError(.closed, "a wait") {
            _ = try await store.waitForCommit(after: SequenceNumber(1))
        }
    }

    private static func snapshotOutlivesTheStore(_ store: any Storage) async throws {
        try await store.setIndexes([
            IndexDefinition(name: "value", version: 1) { _, value, emit in emit(value) }
        ])
        let big = Bytes(repeating: 7, count: 100_000)
        try await store.commit { transaction in
            for key in 10..<60 { try transaction.put("\(key)", "v\(key)") }
            try transaction.put(Bytes("big"), big)
        }
        let snapshot = try store.snapshot()
        try await store.close()
        try expectEqual(snapshot.count, 51, "the count")
        try expectEqual(snapshot.value("10"), "v10", "a value")
        try expect(snapshot.value(Bytes("big")) == big, "a large value changed")
        let expected = (10..<60).map { Pair("\($0)", "v\($0)") }
        try expectEqual(snapshot.pairs(limit: 50), expected, "the records")
        try expectEqual(snapshot.entries("value").count, 51, "the entries")
    }

    private static func closingWakesWaiters(_ store: any Storage) async throws {
        let waiters = (0..<4).map { _ in Task { try await store.waitForCommit(after: .zero) } }
        try await store.close()
        for waiter in waiters {
            try await expectError(.closed, "a wait when the store closes") {
                _ = try await waiter.value
            }
        }
    }

    private static func closingLosesNoCommit(_ store: any Storage) async throws {
        let snapshot = try store.snapshot()
        let writers = (0..<16).map { writer in
            Task { try await store.commit(Pair("\(writer)", "x")) }
        }
        try await store.close()
        var committed = 0
        for writer in writers {
            do {
                _ = try await writer.value
                committed += 1
            } catch let error as StorageError where error.code == .closed {
                continue
            }
        }
        try expect(committed <= 16, "more commits than writers")
        try expectEqual(snapshot.count, 0, "the count of a snapshot from before")
    }
}
