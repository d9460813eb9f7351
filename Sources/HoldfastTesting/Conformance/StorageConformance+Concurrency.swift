import Dispatch
import HoldfastStorage
import Synchronization

extension StorageConformance {
    static let concurrencyChecks = [
        Check("writersRunOneAtATime", writersRunOneAtATime),
        Check("readersSeeWholeTransactionsWhileWritersWork", readersSeeWholeTransactions),
        Check("aTaskThatIsCancelledBeforeItsCommitWritesNothing", cancelledTaskWritesNothing),
        Check("cancelledWritersHoldNobodyUp", cancelledWritersHoldNobodyUp),
        Check("readsGoOnWhileAnIndexIsBuilt", readsGoOnWhileIndexIsBuilt),
        Check("indexesAreDeclaredInACancelledTaskToo", cancelledTaskDeclaresIndexes),
        Check("aTransactionRunsOffItsCallersActor", transactionRunsOffTheActor),
    ]

    private static func writersRunOneAtATime(_ store: any Storage) async throws {
        let inside = Inside()
        try await withThrowingTaskGroup(of: SequenceNumber.self) { group in
            for writer in 0..<64 {
                group.addTask {
                    try await store.commit { transaction in
                        try expect(inside.enter(), "two transactions ran at the same time")
                        defer { inside.leave() }
                        let sum = try transaction.value("sum").flatMap { Int($0) } ?? 0
                        try transaction.put("sum", "\(sum + 1)")
                        try transaction.put("writer \(writer)", "\(sum)")
                    }
                }
            }
            var numbers: [UInt64] = []
            for try await number in group { numbers.append(number.rawValue) }
            try expectEqual(numbers.sorted(), Array(1...64), "the numbers of 64 commits")
        }
        let snapshot = try store.snapshot()
        try expectEqual(snapshot.value("sum"), "64", "what 64 writers summed up")
        try expectEqual(snapshot.count, 65, "the count")
    }

    private static func readersSeeWholeTransactions(_ store: any Storage) async throws {
        let writer = Task {
            for round in 1...200 {
                try await store.commit { transaction in
                    for key in 0..<10 { try transaction.put("\(key)", "\(round)") }
                }
            }
        }
        var last: UInt64 = 0
        while last < 200 {
            let snapshot = try store.snapshot()
            let number = snapshot.sequenceNumber.rawValue
            try expect(number >= last, "the published number went back")
            let values = Set(try snapshot.pairs().map { String(decoding: $0.value, as: UTF8.self) })
            let expected: Set<String> = number == 0 ? [] : ["\(number)"]
            try expectEqual(values, expected, "the values of snapshot \(number)")
            last = number
            if last < 200 { _ = try await store.waitForCommit(after: snapshot.sequenceNumber) }
        }
        try await writer.value
    }

    private static func cancelledTaskWritesNothing(_ store: any Storage) async throws {
        try await store.commit(Pair("a", "1"))
        try await expectCancellation("a write of a cancelled task") {
            try await cancelledTask {
                try await store.commit(Pair("a", "2"))
            }
        }
        try await expectCancellation("a write that is cancelled inside") {
            _ = try await Task {
                try await store.commit { transaction in
                    try transaction.put("a", "3")
                    unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                    try transaction.put("a", "4")
                }
            }.value
        }
        try expectEqual(store.snapshot().pairs(), [Pair("a", "1")], "the records")
        let number = try await store.commit(Pair("b", "2"))
        try expectEqual(number.rawValue, 2, "the number of the next commit")
    }

    /// Runs `body` in a task that was cancelled before it began.
    private static func cancelledTask(
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await body()
        }
        task.cancel()
        try await task.value
    }

    private static func cancelledWritersHoldNobodyUp(_ store: any Storage) async throws {
        let writers = (0..<64).map { writer in
            Task { try await store.commit(Pair("\(writer)", "x")) }
        }
        for writer in writers.indices where writer % 2 == 0 { writers[writer].cancel() }
        var committed: [Bytes] = []
        for (index, writer) in writers.enumerated() {
            switch await writer.result {
            case .success: committed.append(Bytes("\(index)"))
            case .failure(is CancellationError) where index % 2 == 0: break
            case .failure(let error): throw Failure("writer \(index) threw \(error)")
            }
        }
        let expected = committed.sorted { $0.lexicographicallyPrecedes($1) }
        try expectEqual(store.snapshot().keys(), expected, "the keys of those who were told so")
    }

    private static func readsGoOnWhileIndexIsBuilt(_ store: any Storage) async throws {
        try await store.commit(Pair("a", "1"))
        let values = Mutex<[String?]>([])
        let index = IndexDefinition(name: "value", version: 1) { _, value, emit in
            let value = try? store.snapshot().value("a")
            values.withLock { $0.append(value) }
        }
        try await store.setIndexes([index])
        try expectEqual(values.withLock { $0 }, ["1"], "what a read within the build sees")
    }

    private static func cancelledTaskDeclaresIndexes(_ store: any Storage) async throws {
        try await store.commit(Pair("a", "1"))
        let index = IndexDefinition(name: "value", version: 1) { _, value, emit in emit(value) }
        try await cancelledTask { try await store.setIndexes([index]) }
        let expected = [Pair("1", "a")]
        try expectEqual(store.snapshot().entries("value"), expected, "the entries")
        try await cancelledTask { try await store.setIndexes([]) }
        try expectEqual(store.snapshot().indexNames, [], "the names of the indexes")
    }

    private static func transactionRunsOffTheActor(_ store: any Storage) async throws {
        let caller = Caller()
        let isOnActor = try await caller.writes(to: store)
        try expect(!isOnActor, "a transaction ran on its caller's actor")
    }
}

/// Notices when two are inside at the same time.
private final class Inside: Sendable {
    private let count = Atomic(0)

    func enter() -> Bool { count.add(1, ordering: .sequentiallyConsistent).oldValue == 0 }

    func leave() { count.subtract(1, ordering: .sequentiallyConsistent) }
}

/// An actor that knows what runs on it.
private actor Caller {
    private final class WatchedExecutor: SerialExecutor {
        static let isCurrent = DispatchSpecificKey<Bool>()
        private let queue = DispatchQueue(label: "caller")

        init() { queue.setSpecific(key: Self.isCurrent, value: true) }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    private let executor = WatchedExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Whether the code that asks runs on the actor's own queue.
    private static nonisolated var isCurrent: Bool {
        DispatchQueue.getSpecific(key: WatchedExecutor.isCurrent) ?? false
    }

    func writes(to store: any Storage) async throws -> Bool {
        try expect(Self.isCurrent, "the caller does not run on its own queue")
        return try await store.write(.buffered) { _ in Self.isCurrent }.result
    }
}
