/// One new record in one durable transaction, beside a bare overwrite and sync of 256 bytes.
struct CommitWorkload: Workload {
    private static let samples = 1_500

    let name = "commit"

    func run<E: Engine>(_ session: Session<E>) async throws -> [Figure] {
        var (raw, commits) = (Latencies(), Latencies())
        for number in 0..<Self.samples {
            if raw.total + commits.total > session.slice * 2 { break }
            let rows = try session.upcoming(1)
            try await raw.measure { try session.raw.writeAndSync(number) }
            try await commits.measure { try await session.engine.insert(rows) }
            session.ledger.inserted(1)
        }
        return [
            .brief("rawP50", "bare overwrite and sync beside it, p50", raw.percentile(0.5)),
            .brief("commitP50", "one-record commit, p50", commits.percentile(0.5)),
            .brief("commitP99", "one-record commit, p99", commits.percentile(0.99)),
        ]
    }
}
