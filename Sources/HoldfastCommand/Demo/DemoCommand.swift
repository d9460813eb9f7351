import Holdfast

/// `hold demo`.
struct DemoCommand: Command {
    static let syntax = CommandSyntax(
        "demo",
        "two replicas and a server: offline edits, a crash, a merge, and equal in the end",
        options: [
            .flag("process", "with stores on the disk and the server as a process that is killed"),
            .json,
        ],
        discussion: """
            In this process, with the stores on simulated disks: a phone and a laptop edit one \
            record without a network. The phone's changes reach the server, and its power is lost \
            before it hears of that; it sends them again, and nothing is done twice. Then the \
            edits of both are merged field by field, the value that lost is kept in the ledger, \
            and both replicas equal the server. With --process the server is hold serve on a \
            port of this machine: it is killed with -9 when it has taken a change and the phone has \
            not heard of that, and starts again on its store. The exit status is 1 when anything is \
            not as promised.
            """,
        example: "hold demo"
    )

    private let hasProcess: Bool

    init(_ arguments: ParsedArguments) { hasProcess = arguments.has("process") }

    func run(_ console: Console) async throws -> ExitStatus {
        let outcome = try await outcome(console)
        if console.isJSON { try console.append(outcome.object) }
        return outcome.isGood ? .done : .failed
    }

    private func outcome(_ console: Console) async throws -> DemoOutcome {
        if hasProcess { return try await ProcessDemo.run(console) }
        var demo = try await Demo(console)
        return try await demo.run()
    }
}

extension DemoOutcome {
    fileprivate var object: JSONObject {
        [
            "crashes": .integer(Int64(crashes)),
            "lost": .integer(Int64(lost)),
            "replayed": .integer(Int64(replayed)),
            "recognized": .integer(Int64(recognized)),
            "ledgerEntries": .integer(Int64(ledgerEntries)),
            "bakings": .integer(bakings),
            "equal": .bool(isEqual),
        ]
    }
}
