/// Time that is taken while the work is done, and not while the next work is prepared.
struct Stopwatch {
    private(set) var time = Duration.zero
    private(set) var count = 0

    /// Measures work of so many operations.
    mutating func measure(_ operations: Int, _ work: () async throws -> Void) async rethrows {
        let start = ContinuousClock.now
        try await work()
        time += .now - start
        count += operations
    }
}
