import Holdfast
import HoldfastTesting

/// `hold torture power`.
struct TorturePowerCommand: Command {
    static let syntax = CommandSyntax(
        "torture power",
        "lose power on a simulated disk and check that nothing is lost",
        options: [
            .value("rounds", "N", "how many random rounds (10000)"),
            .value("seed", "S", "what the rounds follow from; random without it"),
            .flag("no-worlds", "only the random rounds"),
            .json,
        ],
        discussion: """
            First small worlds are tried in full: every workload of up to three operations, a \
            crash at every call, every outcome of what was not synced, and crashes of the \
            recoveries. Then random rounds: each is the life of a store with several crashes at \
            random calls, also while it recovers. Every store that a crash left is opened and has \
            to hold what was promised. The exit status is 1 when anything was lost; then the seed \
            of that round is printed, and a run of one round with it is that round again.
            """,
        example: "hold torture power --rounds 100000 --seed 7"
    )

    private let rounds: Int
    private let seed: UInt64
    private let triesWorlds: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        rounds = try arguments.number("rounds", in: 0...1_000_000_000) ?? 10_000
        seed = try arguments.number("seed", in: 0...UInt64.max) ?? .random(in: 0...UInt64.max)
        triesWorlds = !arguments.has("no-worlds")
    }

    func run(_ console: Console) async throws -> ExitStatus {
        var report = PowerReport(seed: seed)
        let outcome: (any Error)?
        do {
            try await run(&report, console)
            outcome = nil
        } catch {
            outcome = error
        }
        try show(report, console)
        if let outcome { throw outcome }
        return report.failure == nil ? .done : .failed
    }

    private func run(_ report: inout PowerReport, _ console: Console) async throws {
        let crew = Crew()
        if triesWorlds {
            for world in SmallWorld.all(of: .journal()) where report.failure == nil {
                try await PowerWorldRun(world, crew).run(&report, console)
            }
        }
        if report.failure == nil {
            try await PowerRoundRun(seed: seed, rounds: rounds, crew).run(&report, console)
        }
    }

    private func show(_ report: PowerReport, _ console: Console) throws {
        if console.isJSON {
            try console.append(report.object)
        } else {
            for line in report.lines(console.terminal) { console.output.append(line + "\n") }
        }
        try console.output.flush()
    }
}
