import Holdfast

/// `hold torture kill`.
struct TortureKillCommand: Command {
    static let syntax = CommandSyntax(
        "torture kill",
        "kill -9 writing processes and check that nothing is lost",
        options: [
            .value("rounds", "N", "how many processes to kill (100)"),
            .value("seed", "S", "what everything follows from; random without it"),
            .json,
        ],
        discussion: """
            Each round starts a process that opens a store, recovers it, and commits \
            transactions of all sizes from several tasks, printing each when `write` has \
            returned. It is killed at a random moment, also while it recovers. Most stores have \
            small files and records that come and go, so that it is killed in the midst of \
            rotation, checkpoints and compaction too. Then every \
            acknowledged transaction has to be there whole, and nothing that was never sent. The \
            exit status is 1 when anything was lost; the store is then kept.
            """,
        example: "hold torture kill --rounds 1000 --seed 7"
    )

    private let rounds: Int
    private let seed: UInt64

    init(_ arguments: ParsedArguments) throws(UsageError) {
        rounds = try arguments.number("rounds", in: 1...10_000_000) ?? 100
        seed = try arguments.number("seed", in: 0...UInt64.max) ?? .random(in: 0...UInt64.max)
    }

    func run(_ console: Console) async throws -> ExitStatus {
        let campaign = try TortureCampaign(seed: seed, rounds: rounds)
        var report = TortureReport(seed: seed)
        let outcome: (any Error)?
        do {
            try await campaign.run(&report, console)
            outcome = nil
        } catch {
            outcome = error
        }
        try print(report, console)
        if let outcome { throw outcome }
        return .done
    }

    private func print(_ report: TortureReport, _ console: Console) throws {
        if console.isJSON {
            try console.append(report.object)
        } else {
            for line in report.lines(console.terminal) { console.output.append(line + "\n") }
        }
        try console.output.flush()
    }
}
