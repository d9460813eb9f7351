import HoldfastStorage
import HoldfastTesting

/// A small world of `hold torture power`, on all cores.
struct PowerWorldRun {
    private enum Outcome {
        case tried(Int)
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
        let progress = console.progress(world.name, total: UInt64(world.partCount))
        defer {
            report.elapsed += progress.elapsed
            if world.unit == .crashStates { report.crashTime += progress.elapsed }
        }
        var tried = PowerReport.World(name: world.name, unit: world.unit)
        var parts: UInt64 = 0
        var failure: CrashViolation?
        try await crew.work(pieces: world.partCount) { [world] part in
            do {
                return Outcome.tried(try await world.explore(part: part))
            } catch let violation as CrashViolation {
                return .failed(violation)
            }
        } take: { outcome in
            switch outcome {
            case .tried(let count):
                parts += 1
                tried.count += count
                progress.update(parts, "\(tried.count.grouped) \(world.unit.rawValue)")
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
