/// New records, 100 in each durable transaction.
struct TransactionWorkload: Workload {
    private static let size = 100
    private static let most = 30_000

    let name = "transactions"

    func run<E: Engine>(_ session: Session<E>) async throws -> [Figure] {
        var watch = Stopwatch()
        while watch.time < session.slice, watch.count < Self.most {
            let rows = try session.upcoming(Self.size)
            try await watch.measure(rows.count) { try await session.engine.insert(rows) }
            session.ledger.inserted(rows.count)
        }
        return [.rate("insert100", "inserts, 100 a transaction", watch.count, in: watch.time)]
    }
}
