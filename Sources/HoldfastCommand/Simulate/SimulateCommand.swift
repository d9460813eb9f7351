import Holdfast
import HoldfastSync
import HoldfastTesting

/// `hold simulate`.
struct SimulateCommand: Command {
    static let syntax = CommandSyntax(
        "simulate",
        "sync replicas through every kind of failure, and check what has to be true",
        options: [
            .value("seeds", "N", "how many runs (1000)"),
            .value("replicas", "R", "how many replicas in each (3)"),
            .value("operations", "N", "how many operations at each replica (200)"),
            .value("seed", "S", "what the runs follow from; random without it"),
            .flag("all", "go on after a broken rule, and count them"),
            .flag("no-shrink", "leave a script that breaks a rule as long as it is"),
            .flag(
                "planted",
                "make one mistake at a time on purpose, and count the runs that see it"
            ),
            .flag("text", "every message goes through its JSON text"),
            .flag("trace", "with one seed: print what happened, also when all is well"),
            .json,
        ],
        discussion: """
            Replicas of an app and their server, in this process, on simulated disks, clocks and \
            networks: persons edit the same records while messages are lost, doubled and late, \
            processes are killed, powers are lost, and devices and servers are restored from \
            backups. In the end all replicas have to equal the server, and each edit has to be \
            there, replaced by someone who had seen it, or in the ledger. The exit status is 1 \
            when a rule is broken; then the seed is printed with a script made as short as it \
            goes, and a run of one seed with it is that run again.
            """,
        example: "hold simulate --seeds 10000 --seed 7"
    )

    private let seeds: Int
    private let seed: UInt64
    private let options: SimulationOptions
    private let isTraced: Bool
    private let goesOn: Bool
    private let shrinks: Bool
    private let plants: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        seeds = try arguments.number("seeds", in: 0...1_000_000_000) ?? 1_000
        seed = try arguments.number("seed", in: 0...UInt64.max) ?? .random(in: 0...UInt64.max)
        options = SimulationOptions(
            replicas: try arguments.number("replicas", in: 1...32) ?? 3,
            operations: try arguments.number("operations", in: 0...100_000) ?? 200,
            codesMessages: arguments.has("text")
        )
        isTraced = arguments.has("trace")
        goesOn = arguments.has("all")
        shrinks = !arguments.has("no-shrink")
        plants = arguments.has("planted")
    }

    func run(_ console: Console) async throws -> ExitStatus {
        let simulation = StandardWorkload.simulation(options)
        if isTraced { try await trace(simulation, console) }
        if plants { return try await plant(simulation, console) }
        let campaign = SimulationCampaign(
            simulation,
            seed: seed,
            seeds: seeds,
            goesOn: goesOn,
            shrinks: shrinks
        )
        let report = try await campaign.run(console)
        if console.isJSON {
            try console.append(report.object)
        } else {
            for line in report.lines(console.terminal) { console.output.append(line + "\n") }
        }
        try console.output.flush()
        return report.violation == nil ? .done : .failed
    }

    /// Every mistake has to be found; how many runs it takes says how well.
    private func plant(_ simulation: Simulation, _ console: Console) async throws -> ExitStatus {
        var table = TextTable([
            TextTable.Column("mistake"), TextTable.Column("found", isNumeric: true),
            TextTable.Column("runs", isNumeric: true), TextTable.Column("first by"),
        ])
        var isEachFound = true
        for (name, fault) in PlantedFaults.names {
            let campaign = SimulationCampaign(
                simulation.planting(fault),
                seed: seed,
                seeds: seeds,
                goesOn: true,
                shrinks: false,
                isQuiet: true
            )
            let report = try await campaign.run(console)
            isEachFound = isEachFound && report.violation != nil
            let rule =
                report.violation.map { "\($0.rule.rawValue), \($0.rule.promise)" } ?? "nothing"
            if console.isJSON {
                try console.append([
                    "mistake": .string(name), "found": .integer(Int64(report.violations)),
                    "runs": .integer(Int64(report.runs)), "rule": .string(rule),
                ])
                try console.output.flush()
            } else {
                table.append([
                    name, report.violations.grouped, report.runs.grouped, rule,
                ])
            }
        }
        for line in console.isJSON ? [] : table.lines(console.terminal) {
            console.output.append(line + "\n")
        }
        try console.output.flush()
        return isEachFound ? .done : .failed
    }

    private func trace(_ simulation: Simulation, _ console: Console) async throws {
        let lines = try await simulation.trace(seed: seed)
        for line in lines { console.message(line) }
    }
}
