import Synchronization

/// Rows that several committers take one by one, until the time is over or none is left.
final class RowPool<Row: Sendable>: Sendable {
    private let rows: [Row]
    private let end: ContinuousClock.Instant
    private let next = Atomic(0)

    init(_ rows: [Row], within time: Duration) {
        self.rows = rows
        end = .now + time
    }

    /// How many were taken.
    var taken: Int { min(next.load(ordering: .relaxed), rows.count) }

    /// The next row, which its taker has to commit; `nil` at the end.
    func take() -> Row? {
        if .now >= end { return nil }
        let index = next.add(1, ordering: .relaxed).oldValue
        return index < rows.count ? rows[index] : nil
    }
}
