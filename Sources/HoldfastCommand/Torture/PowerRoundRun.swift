import HoldfastTesting

/// The random rounds of `hold torture power`, on all cores.
struct PowerRoundRun {
    private enum Outcome {
        case done(PowerTorture.Tally)
        case failed(seed: UInt64, CrashViolation)
    }

    /// Rounds that one task runs before it reports.
    private static let batch = 20

    private let seed: UInt64
    private let rounds: Int
    private let crew: Crew

    init(seed: UInt64, rounds: Int, _ crew: Crew) {
        self.seed = seed
        self.rounds = rounds
        self.crew = crew
    }

    /// Runs them until one finds something.
    func run(_ report: inout PowerReport, _ console: Console) async throws {
        let progress = console.progress("rounds", total: UInt64(rounds))
        var (tally, failure) = (PowerTorture.Tally(), PowerReport.Failure?.none)
        defer {
            report.random = tally
            report.crashTime += progress.elapsed
            report.elapsed += progress.elapsed
        }
        let pieces = (rounds + Self.batch - 1) / Self.batch
        try await crew.work(pieces: pieces, runBatch) { outcome in
            switch outcome {
            case .done(let more):
                tally += more
                progress.update(UInt64(tally.rounds), "\(tally.states.grouped) states")
                return true
            case .failed(let seed, let violation):
                failure = PowerReport.Failure(seed: seed, violation: violation)
                return false
            }
        }
        report.failure = failure
    }

    private func runBatch(_ number: Int) async throws -> Outcome {
        let torture = PowerTorture()
        var tally = PowerTorture.Tally()
        for round in number * Self.batch..<min(rounds, (number + 1) * Self.batch) {
            try Task.checkCancellation()
            let seed = PowerTorture.seed(ofRound: round, from: seed)
            do {
                tally += try await torture.run(seed: seed)
            } catch let violation as CrashViolation {
                return .failed(seed: seed, violation)
            }
        }
        return .done(tally)
    }
}
