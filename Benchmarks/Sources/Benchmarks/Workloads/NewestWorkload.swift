/// The 50 newest records by the index, each time from a new state.
struct NewestWorkload: Workload {
    private static let limit = 50
    private static let batch = 50

    let name = "newest"

    func run<E: Engine>(_ session: Session<E>) async throws -> [Figure] {
        var watch = Stopwatch()
        var tally = Tally()
        while watch.time < session.slice {
            try await watch.measure(Self.batch) {
                for _ in 0..<Self.batch { try session.engine.newest(Self.limit, into: &tally) }
            }
        }
        let count = min(Self.limit, session.ledger.count)
        try tally.check(records: watch.count * count, "the newest")
        return [.rate("newest50", "50 newest by index, queries", watch.count, in: watch.time)]
    }
}
