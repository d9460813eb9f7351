import HoldfastStorage
import HoldfastTesting

/// A small world of `hold torture power`, on all cores.
struct PowerWorldRun {
    private enum Outcome {
        case tried(CrashExplorer.Tally)
        case failed(CrashViolation)
    }

    private let world: SmallWorld
    private let crew: Crew

    init(_ world: SmallWorld, _ crew: Crew) {
        self.world = world
        self.crew = crew
    }

    /// Tries it and adds to the report what was tried, and what was found.
    func run(_ report: inout PowerReport, _ console: Console) async throws {
        let count = world.workloads.count
        let progress = console.progress(world.name, total: UInt64(count))
        defer { report.elapsed += progress.elapsed }
        var tried = PowerReport.World(name: world.name)
        var failure: CrashViolation?
        try await crew.work(pieces: count) { [world] number in
            do {
                return Outcome.tried(try await world.explore(number..<number + 1))
            } catch let violation as CrashViolation {
                return .failed(violation)
            }
        } take: { outcome in
            switch outcome {
            case .tried(let tally):
                tried.workloads += 1
                tried.states += tally.recoveries
                progress.update(UInt64(tried.workloads), "\(tried.states.grouped) states")
                return true
            case .failed(let violation):
                failure = violation
                return false
            }
        }
        report.worlds.append(tried)
        report.failure = failure.map { PowerReport.Failure(seed: nil, violation: $0) }
    }
}
