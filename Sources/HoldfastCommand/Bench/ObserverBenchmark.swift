import Holdfast
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How long after a durable commit those who observe a query have its result.
struct ObserverBenchmark {
    private static let records = 100_000
    private static let commits = 300

    let directory: String

    /// The time from the return of a write to the moment when the last observer of the 50 newest
    /// notes has the result; zero where all had it before.
    ///
    /// - Parameters:
    ///   - count: The number of observers.
    ///   - limit: The greatest number of records in the store.
    /// - Returns: The median and the 99th percentile.
    /// - Throws: What the store throws.
    func latency(observers count: Int, limit: Int) async throws -> [BenchFigure] {
        let records = min(Self.records, limit)
        let store = try await Store.open(at: "\(directory)/observed-\(count)")
        let source = try NoteSource(count: records + Self.commits, ids: .random)
        try await store.createIndex(Index("updatedAt"), on: NoteRecord.table)
        for start in stride(from: 0, to: records, by: 1_000) {
            try await store.write { transaction in
                for number in start..<min(start + 1_000, records) {
                    try transaction.put(source[number])
                }
            }
        }
        let latencies = try await measure(store, source, from: records, count)
        try await store.close()
        let title =
            count == 1 ? "commit to its observer" : "commit to the last of \(count) observers"
        return [
            .time("observers\(count)P50", "\(title), p50", latencies.percentile(0.5)),
            .time("observers\(count)P99", "\(title), p99", latencies.percentile(0.99)),
        ]
    }

    private func measure(
        _ store: Store,
        _ source: NoteSource,
        from first: Int,
        _ count: Int
    ) async throws -> Latencies {
        let query = NoteRecord.query.order(by: "updatedAt", .descending).limit(50)
        let round = ObserverRound(of: count)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    for try await _ in store.values(query) { round.arrive() }
                }
            }
            _ = await round.whenComplete()
            var latencies = Latencies()
            for number in 0..<Self.commits {
                var note = source[first + number]
                note.updatedAt = Date(timeIntervalSinceReferenceDate: 2e9 + Double(number))
                try await store.write { [note] transaction in _ = try transaction.put(note) }
                let committed = ContinuousClock.now
                let last = await round.whenComplete()
                latencies.add(max(last - committed, .zero))
            }
            group.cancelAll()
            while let result = await group.nextResult() {
                if case .failure(let error) = result, !(error is CancellationError) { throw error }
            }
            return latencies
        }
    }
}

/// Observers that all have to have a value before the next round begins.
private final class ObserverRound: Sendable {
    private struct State {
        var arrived = 0
        var last = ContinuousClock.now
        var waiter: CheckedContinuation<ContinuousClock.Instant, Never>?

        mutating func takeWaiter() -> CheckedContinuation<ContinuousClock.Instant, Never>? {
            defer { waiter = nil }
            return waiter
        }
    }

    private let count: Int
    private let state = Mutex(State())

    init(of count: Int) { self.count = count }

    /// Takes note that one has its value.
    func arrive() {
        let now = ContinuousClock.now
        let waiter = state.withLock { state in
            state.arrived += 1
            state.last = max(state.last, now)
            return state.arrived == count ? state.takeWaiter() : nil
        }
        waiter?.resume(returning: now)
    }

    /// Waits until all have theirs, and begins the next round.
    ///
    /// - Returns: When the last one had it.
    func whenComplete() async -> ContinuousClock.Instant {
        let last = await withCheckedContinuation { continuation in
            let last = state.withLock { state -> ContinuousClock.Instant? in
                if state.arrived == count { return state.last }
                state.waiter = continuation
                return nil
            }
            if let last { continuation.resume(returning: last) }
        }
        state.withLock { $0.arrived = 0 }
        return last
    }
}
