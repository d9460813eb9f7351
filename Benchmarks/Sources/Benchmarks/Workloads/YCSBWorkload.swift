import HoldfastTesting

/// A mix of operations as the Yahoo! Cloud Serving Benchmark has them, by one client.
///
/// Popular records come often (a Zipfian distribution); each write is a durable transaction.
struct YCSBWorkload: Workload {
    /// Which mix.
    enum Mix: String, CaseIterable, Sendable {
        case halfUpdates = "A"
        case fewUpdates = "B"
        case reads = "C"
        case ranges = "E"

        /// How many of 100 operations write.
        var writes: Int {
            switch self {
            case .halfUpdates: 50
            case .fewUpdates, .ranges: 5
            case .reads: 0
            }
        }

        var title: String {
            switch self {
            case .halfUpdates: "half reads, half updates"
            case .fewUpdates: "95 % reads, 5 % updates"
            case .reads: "reads alone"
            case .ranges: "95 % ranges of 1 to 100, 5 % inserts"
            }
        }
    }

    /// One operation, prepared.
    private enum Operation<E: Engine> {
        case read(E.Key)
        case update(E.Row)
        case range(E.Key, Int)
        case insert(E.Row)
    }

    private static let batch = 40

    let name = "ycsb"
    let zipfian: Zipfian

    init(records: Int) { zipfian = Zipfian(count: records) }

    func run<E: Engine>(_ session: Session<E>) async throws -> [Figure] {
        var figures: [Figure] = []
        for mix in Mix.allCases { figures.append(try await run(mix, session)) }
        return figures
    }

    private func run<E: Engine>(_ mix: Mix, _ session: Session<E>) async throws -> Figure {
        var watch = Stopwatch()
        var tally = Tally()
        while watch.time < session.slice {
            let operations = try (0..<Self.batch).map { _ in try operation(of: mix, session) }
            try await watch.measure(operations.count) {
                for operation in operations {
                    try await run(operation, session.engine, &tally)
                }
            }
        }
        let title = "YCSB \(mix.rawValue): \(mix.title), operations"
        return .rate("ycsb\(mix.rawValue)", title, watch.count, in: watch.time)
    }

    private func operation<E: Engine>(
        of mix: Mix,
        _ session: Session<E>
    ) throws -> Operation<E> {
        let writes = session.random.next(below: 100) < mix.writes
        if writes, mix == .ranges {
            let rows = try session.upcoming(1)
            session.ledger.inserted(1)
            return .insert(rows[0])
        }
        let number = zipfian.next(&session.random)
        if writes { return .update(try session.engine.row(session.ledger.updated(number))) }
        let key = try session.key(number)
        return mix == .ranges ? .range(key, 1 + session.random.next(below: 100)) : .read(key)
    }

    private func run<E: Engine>(
        _ operation: Operation<E>,
        _ engine: E,
        _ tally: inout Tally
    ) async throws {
        switch operation {
        case .read(let key): try engine.read([key], into: &tally)
        case .update(let row): try await engine.update([row])
        case .range(let key, let count): try engine.range(from: key, count, into: &tally)
        case .insert(let row): try await engine.insert([row])
        }
    }
}
