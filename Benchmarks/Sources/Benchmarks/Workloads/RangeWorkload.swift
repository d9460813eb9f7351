/// 100 records in the order of their ids, from a random one on.
struct RangeWorkload: Workload {
    private static let length = 100
    private static let batch = 50

    let name = "range"

    func run<E: Engine>(_ session: Session<E>) async throws -> [Figure] {
        var watch = Stopwatch()
        var tally = Tally()
        while watch.time < session.slice {
            let keys = try session.anyKeys(Self.batch)
            try await watch.measure(keys.count) {
                for key in keys {
                    try session.engine.range(from: key, Self.length, into: &tally)
                }
            }
        }
        let title = "100 records from a random id, queries"
        return [.rate("range100", title, watch.count, in: watch.time)]
    }
}
