/// New records, each in a transaction of its own, from several committers at once.
struct CommitterWorkload: Workload {
    private static let committers = [1, 4, 16, 64]

    let name = "committers"

    func run<E: Engine>(_ session: Session<E>) async throws -> [Figure] {
        var figures: [Figure] = []
        for count in Self.committers { figures.append(try await run(session, count)) }
        return figures
    }

    private func run<E: Engine>(_ session: Session<E>, _ count: Int) async throws -> Figure {
        // More than the fastest disk takes in the time.
        let most = Int(session.slice.seconds * Double(15_000 + 3_000 * count))
        let rows = try session.upcoming(most)
        let pool = RowPool(rows, within: session.slice)
        try await session.engine.insert(from: pool, committers: count)
        let time = pool.elapsed
        session.ledger.inserted(pool.taken)
        let title = "commits of one record, \(count) committer\(count == 1 ? "" : "s")"
        return .rate("committers\(count)", title, pool.taken, in: time)
    }
}
