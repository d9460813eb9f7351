/// Times that one operation took, again and again.
struct Latencies {
    private var samples: [Duration] = []

    /// Measures one operation.
    mutating func measure(_ operation: () async throws -> Void) async rethrows {
        let start = ContinuousClock.now
        try await operation()
        samples.append(.now - start)
    }

    /// Adds a time.
    mutating func add(_ time: Duration) { samples.append(time) }

    /// All of them together.
    var total: Duration { samples.reduce(.zero, +) }

    /// The time that a share of all operations did not exceed; zero without any.
    func percentile(_ share: Double) -> Duration {
        if samples.isEmpty { return .zero }
        let sorted = samples.sorted()
        let rank = Int((share * Double(sorted.count)).rounded(.up)) - 1
        return sorted[min(max(rank, 0), sorted.count - 1)]
    }
}
