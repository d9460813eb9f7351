import Synchronization

/// Rows that several committers take one by one, until the time is over or none is left.
///
/// The time begins when the first one comes: how long a thread takes to start is no matter of the
/// engine.
final class RowPool<Row: Sendable>: Sendable {
    private struct State {
        var taken = 0
        var start: ContinuousClock.Instant?
    }

    private let rows: [Row]
    private let time: Duration
    private let state = Mutex(State())

    init(_ rows: [Row], within time: Duration) {
        self.rows = rows
        self.time = time
    }

    /// How many were taken.
    var taken: Int { state.withLock { $0.taken } }

    /// How long ago the first one came.
    var elapsed: Duration { state.withLock { $0.start.map { .now - $0 } ?? .zero } }

    /// The next row, which its taker has to commit; `nil` at the end.
    func take() -> Row? {
        state.withLock { state in
            let now = ContinuousClock.now
            let start = state.start ?? now
            state.start = start
            guard now - start < time, state.taken < rows.count else { return nil }
            state.taken += 1
            return rows[state.taken - 1]
        }
    }
}
