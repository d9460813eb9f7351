import HoldfastStorage
import Synchronization

extension StorageConformance {
    static let transactionChecks = [
        Check("aTransactionSeesEarlierCommitsAndItsOwnWrites", transactionReadsItsWrites),
        Check("uncommittedWritesAreInvisibleOutside", uncommittedWritesAreInvisible),
        Check("aSnapshotNeverChanges", snapshotNeverChanges),
        Check("aThrowRollsEverythingBackAndPassesTheErrorOn", throwRollsBack),
        Check("aTransactionThatWroteNothingCommitsNothing", nothingWrittenIsNoCommit),
        Check("writeReturnsWhatItsClosureReturned", writeReturnsTheResult),
        Check("anAttemptThatThrowsIsUndoneAndTheRestStays", attemptIsUndone),
        Check("attemptsNest", attemptsNest),
        Check("aScanVisitsTheStateAsItStoodWhenItBegan", scanVisitsItsOwnState),
        Check("aTransactionIsDeadOutsideItsClosure", transactionIsDeadOutside),
    ]

    private static func transactionReadsItsWrites(_ store: any Storage) async throws {
        let first = try await store.commit(Pair("a", "1"), Pair("c", "3"), Pair("d", "4"))
        try await store.commit { transaction in
            try expectEqual(transaction.sequenceNumber, first, "the number a transaction builds on")
            try transaction.put("b", "2")
            try transaction.put("c", "three")
            try transaction.delete("d")
            let expected = [Pair("a", "1"), Pair("b", "2"), Pair("c", "three")]
            try expectEqual(transaction.pairs(), expected, "the records inside")
            try expectEqual(
                transaction.pairs(.all, .backward),
                expected.reversed(),
                "the records backward"
            )
            try expectEqual(transaction.keys(), expected.map(\.key), "the keys inside")
            try expectEqual(transaction.value("c"), "three", "a replaced value inside")
            try expectEqual(transaction.value("d"), nil, "a deleted value inside")
            try expectEqual(transaction.contains("b"), true, "whether a new key is there inside")
            try expectEqual(transaction.count, 3, "the count inside")
            let range = KeyRange(from: Bytes("b"), upTo: Bytes("d"))
            try expectEqual(transaction.count(in: range), 2, "the count of a range inside")
        }
    }

    private static func uncommittedWritesAreInvisible(_ store: any Storage) async throws {
        try await store.commit(Pair("a", "1"))
        try await store.commit { transaction in
            try transaction.put("a", "2")
            try transaction.put("b", "2")
            let outside = try store.snapshot()
            try expectEqual(outside.pairs(), [Pair("a", "1")], "what readers see meanwhile")
            try expectEqual(outside.sequenceNumber.rawValue, 1, "the number readers see meanwhile")
        }
        try expectEqual(store.snapshot().pairs(), [Pair("a", "2"), Pair("b", "2")], "the records")
    }

    private static func snapshotNeverChanges(_ store: any Storage) async throws {
        var snapshots: [any StorageSnapshot] = []
        for round in 0..<20 {
            try await store.commit { transaction in
                for key in 0..<50 { try transaction.put("\(key)", "\(round)") }
                try transaction.put("round \(round)", "")
                try transaction.delete("round \(round - 3)")
            }
            snapshots.append(try store.snapshot())
        }
        for (round, snapshot) in snapshots.enumerated() {
            try expectEqual(snapshot.sequenceNumber.rawValue, UInt64(round + 1), "its number")
            try expectEqual(snapshot.count, 50 + min(round + 1, 3), "its count")
            for key in 0..<50 {
                try expectEqual(snapshot.value("\(key)"), "\(round)", "a value of an old snapshot")
            }
            try expectEqual(snapshot.contains("round \(round)"), true, "its own key")
            try expectEqual(snapshot.contains("round \(round + 1)"), false, "a later key")
        }
    }

    private static func throwRollsBack(_ store: any Storage) async throws {
        try await store.commit(Pair("a", "1"))
        try await expectDeliberateError(3) {
            try await store.commit { transaction in
                try transaction.put("a", "2")
                try transaction.put("b", "2")
                try transaction.delete("a")
                throw DeliberateError(number: 3)
            }
        }
        let snapshot = try store.snapshot()
        try expectEqual(snapshot.pairs(), [Pair("a", "1")], "the records after a rollback")
        try expectEqual(snapshot.sequenceNumber.rawValue, 1, "the number after a rollback")
        let number = try await store.commit(Pair("c", "3"))
        try expectEqual(number.rawValue, 2, "the number of the next commit")
        let expected = [Pair("a", "1"), Pair("c", "3")]
        try expectEqual(store.snapshot().pairs(), expected, "the records after the next commit")
    }

    private static func nothingWrittenIsNoCommit(_ store: any Storage) async throws {
        let first = try await store.commit(Pair("a", "1"))
        for _ in 0..<3 {
            let number = try await store.commit { transaction in
                _ = try transaction.value("a")
                try transaction.delete("missing")
                try? transaction.attempt {
                    try transaction.put("b", "2")
                    throw DeliberateError()
                }
            }
            try expectEqual(number, first, "the number of a transaction that wrote nothing")
        }
        try expectEqual(store.snapshot().sequenceNumber, first, "the published number")
        try expectEqual(store.changes(after: first, limit: 10), [], "the feed")
    }

    private static func writeReturnsTheResult(_ store: any Storage) async throws {
        let outcome = try await store.write(.buffered) { transaction in
            try transaction.put("a", "1")
            return "result"
        }
        try expectEqual(outcome.result, "result", "the result")
        try expectEqual(outcome.sequenceNumber.rawValue, 1, "the number")
    }

    private static func attemptIsUndone(_ store: any Storage) async throws {
        try await store.commit(Pair("a", "1"), Pair("b", "2"))
        try await store.commit { transaction in
            try transaction.put("a", "before")
            try expectDeliberateError {
                try transaction.attempt {
                    try transaction.put("a", "inside")
                    try transaction.put("c", "inside")
                    try transaction.delete("b")
                    try expectEqual(transaction.value("a"), "inside", "a value inside an attempt")
                    throw DeliberateError()
                }
            }
            try expectEqual(
                transaction.pairs(),
                [Pair("a", "before"), Pair("b", "2")],
                "what is left"
            )
            let result = try transaction.attempt {
                try transaction.put("d", "kept")
                return 7
            }
            try expectEqual(result, 7, "what an attempt returns")
            try transaction.put("e", "after")
        }
        let expected = [Pair("a", "before"), Pair("b", "2"), Pair("d", "kept"), Pair("e", "after")]
        try expectEqual(store.snapshot().pairs(), expected, "the records")
        let changed = try store.changes(after: SequenceNumber(1), limit: 1).flatMap(\.changes)
        try expectEqual(
            changed.map(\.key),
            [Bytes("a"), Bytes("d"), Bytes("e")],
            "the changes in the feed"
        )
    }

    private static func attemptsNest(_ store: any Storage) async throws {
        try await store.commit { transaction in
            try transaction.attempt {
                try transaction.put("a", "1")
                try? transaction.attempt {
                    try transaction.put("b", "2")
                    try transaction.attempt { try transaction.put("c", "3") }
                    throw DeliberateError()
                }
                try transaction.put("d", "4")
            }
            try? transaction.attempt {
                try transaction.attempt { try transaction.put("e", "5") }
                throw DeliberateError()
            }
        }
        try expectEqual(store.snapshot().pairs(), [Pair("a", "1"), Pair("d", "4")], "the records")
    }

    private static func scanVisitsItsOwnState(_ store: any Storage) async throws {
        try await store.commit { transaction in
            for key in 100..<200 { try transaction.put("\(key)", "old") }
            var visited: [Pair] = []
            try transaction.scan(.all, .forward) { key, value in
                let pair = Pair(Bytes(copying: key), Bytes(copying: value))
                visited.append(pair)
                try transaction.put(pair.key + Bytes("x"), Bytes("new"))
                try transaction.put("199", "new")
                try transaction.delete(pair.key)
                return true
            }
            try expectEqual(visited, (100..<200).map { Pair("\($0)", "old") }, "what a scan visits")
            try expectEqual(transaction.count, 100, "the count after writing from the scan")
        }
        let expected = (100..<200).map { Bytes("\($0)x") }
        try expectEqual(store.snapshot().keys(), expected, "the keys written from the scan")
    }

    private static func transactionIsDeadOutside(_ store: any Storage) async throws {
        let leaked = Mutex<(any StorageTransaction)?>(nil)
        try await store.commit { transaction in
            try transaction.put("a", "1")
            leaked.withLock { $0 = transaction }
        }
        try expectDead(leaked.withLock { $0 })
        try await expectDeliberateError {
            try await store.commit { transaction in
                leaked.withLock { $0 = transaction }
                throw DeliberateError()
            }
        }
        try expectDead(leaked.withLock { $0 })
        try expectEqual(store.snapshot().pairs(), [Pair("a", "1")], "the records")
    }

    private static func expectDead(_ transaction: (any StorageTransaction)?) throws {
        guard let transaction else { throw Failure("the closure was not called") }
        try expectError(.closed, "a late put") { try transaction.put("a", "2") }
        try expectError(.closed, "a late delete") { try transaction.delete("a") }
        try expectError(.closed, "a late read") { _ = try transaction.value("a") }
        try expectError(.closed, "a late question") { _ = try transaction.contains("a") }
        try expectError(.closed, "a late count") { _ = try transaction.count(in: .all) }
        try expectError(.closed, "a late scan") { _ = try transaction.pairs() }
        try expectError(.closed, "a late scan of keys") { _ = try transaction.keys() }
        try expectError(.closed, "a late scan of an index") { _ = try transaction.entries("index") }
        try expectError(.closed, "a late count of an index") {
            _ = try transaction.countIndex("index", in: .all)
        }
        try expectError(.closed, "a late attempt") { try transaction.attempt {} }
    }
}
