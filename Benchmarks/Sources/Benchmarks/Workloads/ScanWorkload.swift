/// All records, in the order that is fastest for the engine.
struct ScanWorkload: Workload {
    let name = "scan"
    let isWhole = true

    func run<E: Engine>(_ session: Session<E>) async throws -> [Figure] {
        var tally = Tally()
        var watch = Stopwatch()
        try await watch.measure(session.ledger.count) {
            try session.engine.scan(into: &tally)
        }
        try tally.check(records: watch.count, "the scan")
        return [.rate("scan", "full scan, records", watch.count, in: watch.time)]
    }
}
