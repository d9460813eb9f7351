/// The stores of `hold torture kill`, as many side by side as there are cores.
struct TortureCampaign {
    private let seed: UInt64
    private let rounds: Int
    private let directory: TemporaryDirectory

    init(seed: UInt64, rounds: Int) throws {
        self.seed = seed
        self.rounds = rounds
        directory = try TemporaryDirectory(prefix: "hold-torture")
    }

    /// Runs rounds until all are done or one finds something.
    ///
    /// - Throws: ``Failure`` with the place of the store, which is kept; `CancellationError`, when
    ///   everything is removed.
    func run(_ report: inout TortureReport, _ console: Console) async throws {
        let progress = console.progress("torture", total: UInt64(rounds))
        var (sum, problem) = (report, TortureStore.Problem?.none)
        defer {
            sum.elapsed = progress.elapsed
            report = sum
            if problem == nil { directory.remove() }
        }
        let stores = (rounds + TortureRound.roundsPerStore - 1) / TortureRound.roundsPerStore
        try await Crew().work(pieces: stores, runStore) { store in
            sum += store.report
            problem = store.problem
            progress.update(UInt64(sum.rounds), "\(sum.acknowledged.grouped) acknowledged")
            return problem == nil
        }
        if let problem { throw Failure("\(problem.finding), seed \(seed)") }
    }

    private func runStore(_ number: Int) async throws -> TortureStore {
        var store = TortureStore(number, in: directory.path, seed: seed, rounds: rounds)
        try await store.run()
        return store
    }
}
