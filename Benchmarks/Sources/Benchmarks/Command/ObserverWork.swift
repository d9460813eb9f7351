import Foundation
import Holdfast
import Synchronization

/// How long a durable commit takes beside so many observers, and how long until all have its result.
struct ObserverWork {
    private static let commits = 300

    let directory: String
    let records: Int
    let seed: UInt64

    func run(observers count: Int) async throws -> [Figure] {
        let store = try await Store.open(
            at: "\(directory)/observed-\(count).holdfast",
            schema: HoldfastTypedEngine.schema
        )
        let source = NoteSource(seed: seed)
        for start in stride(from: 0, to: records, by: 1_000) {
            let notes = try (start..<min(start + 1_000, records)).map {
                try NoteRecord(source.note($0))
            }
            try await store.write { transaction in
                for note in notes { try transaction.put(note) }
            }
        }
        let (commits, deliveries) = try await measure(store, source, count)
        try await store.close()
        let title = "commit beside \(count) observers of the 50 newest"
        let figures = [Figure.brief("observed\(count)", "\(title), p50", commits.percentile(0.5))]
        if count == 0 { return figures }
        let all = "until the last of \(count) observers has it, after the commit, p50"
        return figures + [.brief("delivery\(count)", all, deliveries.percentile(0.5))]
    }

    private func measure(
        _ store: Store,
        _ source: NoteSource,
        _ count: Int
    ) async throws -> (commits: Latencies, deliveries: Latencies) {
        let query = NoteRecord.query.order(by: "updatedAt", .descending).limit(50)
        let round = ObserverRound(of: count)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    for try await _ in store.values(query) { round.arrive() }
                }
            }
            _ = await round.whenComplete()
            var (commits, deliveries) = (Latencies(), Latencies())
            for number in 0..<Self.commits {
                var note = try NoteRecord(source.note(records + number))
                note.updatedAt = Date(timeIntervalSince1970: 4e9 + Double(number))
                let row = note
                try await commits.measure { try await store.write { _ = try $0.put(row) } }
                let committed = ContinuousClock.now
                deliveries.add(max(await round.whenComplete() - committed, .zero))
            }
            group.cancelAll()
            while let result = await group.nextResult() {
                if case .failure(let error) = result, !(error is CancellationError) { throw error }
            }
            return (commits, deliveries)
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
