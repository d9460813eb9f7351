/// Times that one operation took, again and again.
package struct Latencies: Sendable {
    private var samples: [Duration] = []

    /// No times yet.
    package init() {}

    /// Measures one operation.
    mutating func measure(_ operation: () async throws -> Void) async rethrows {
        let start = ContinuousClock.now
        try await operation()
        samples.append(.now - start)
    }

    /// Adds a time.
    package mutating func add(_ time: Duration) { samples.append(time) }

    /// The time that a share of all operations did not exceed; zero without any.
    package func percentile(_ share: Double) -> Duration {
        if samples.isEmpty { return .zero }
        let sorted = samples.sorted()
        let rank = Int((share * Double(sorted.count)).rounded(.up)) - 1
        return sorted[min(max(rank, 0), sorted.count - 1)]
    }
}
