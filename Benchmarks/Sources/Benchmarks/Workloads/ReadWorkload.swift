/// Records by random ids, 1,000 from one state.
struct ReadWorkload: Workload {
    private static let batch = 1_000

    let name = "read"

    func run<E: Engine>(_ session: Session<E>) async throws -> [Figure] {
        var watch = Stopwatch()
        var tally = Tally()
        while watch.time < session.slice {
            let keys = try session.anyKeys(Self.batch)
            try await watch.measure(keys.count) {
                try session.engine.read(keys, into: &tally)
            }
        }
        try tally.check(records: watch.count, "point reads")
        return [.rate("pointRead", "point reads", watch.count, in: watch.time)]
    }
}
