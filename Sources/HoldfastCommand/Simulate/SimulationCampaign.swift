import HoldfastTesting

/// The runs of `hold simulate`, on all cores.
struct SimulationCampaign {
    private struct Outcome: Sendable {
        var report = SimulationReport()
        var violations: [SimulationViolation] = []
    }

    /// Runs that one task does before it reports.
    private static let batch = 4

    private let simulation: Simulation
    private let seed: UInt64
    private let seeds: Int
    private let goesOn: Bool
    private let shrinks: Bool
    private let isQuiet: Bool

    init(
        _ simulation: Simulation,
        seed: UInt64,
        seeds: Int,
        goesOn: Bool,
        shrinks: Bool,
        isQuiet: Bool = false
    ) {
        self.simulation = simulation
        self.seed = seed
        self.seeds = seeds
        self.goesOn = goesOn
        self.shrinks = shrinks
        self.isQuiet = isQuiet
    }

    /// Runs them until one breaks a rule; that one is made as short as it goes.
    func run(_ console: Console) async throws -> SimulateReport {
        let progress = console.progress("seeds", total: UInt64(seeds))
        var report = SimulateReport(seed: seed)
        let pieces = (seeds + Self.batch - 1) / Self.batch
        try await Crew().work(pieces: pieces, runBatch) { outcome in
            report.add(outcome.report, outcome.violations)
            if goesOn, !isQuiet {
                for violation in outcome.violations {
                    console.message("seed \(violation.seed): \(violation.finding)")
                }
            }
            progress.update(
                UInt64(report.runs),
                "\(report.total.mutations.grouped) mutations"
            )
            return goesOn || report.violation == nil
        }
        report.elapsed = progress.elapsed
        if shrinks, let violation = report.violation {
            console.message("hold: seed \(violation.seed) breaks a rule; making it shorter")
            report.violation = await shortest(violation)
        }
        return report
    }

    private func runBatch(_ number: Int) async throws -> Outcome {
        var outcome = Outcome()
        for place in number * Self.batch..<min(seeds, (number + 1) * Self.batch) {
            try Task.checkCancellation()
            do {
                outcome.report += try await simulation.run(seed: seed(at: place), shrinks: false)
            } catch let violation as SimulationViolation {
                outcome.violations.append(violation)
                if !goesOn { break }
            }
        }
        return outcome
    }

    /// The first run has the campaign's own seed, so that it can be run alone.
    private func seed(at place: Int) -> UInt64 { PowerTorture.seed(ofRound: place, from: seed) }

    private func shortest(_ violation: SimulationViolation) async -> SimulationViolation {
        do {
            _ = try await simulation.run(seed: violation.seed)
        } catch let shorter as SimulationViolation {
            return shorter
        } catch {}
        return violation
    }
}
