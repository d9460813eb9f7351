import Holdfast

/// `hold torture sync`.
struct TortureSyncCommand: Command {
    static let syntax = CommandSyntax(
        "torture sync",
        "kill -9 a server and its clients while they sync, and check that all is there",
        options: [
            .value("seconds", "N", "how long (60)"),
            .value("clients", "C", "how many clients (3)"),
            .value("seed", "S", "what is drawn follows from it; random without it"),
            .json,
        ],
        discussion: """
            A server and clients run as processes of their own, with a proxy between that cuts \
            connections at any byte. Clients edit fields that nobody else writes, and sync; they and \
            the server are killed at random. In the end everything may sync in peace: every edit \
            that was acknowledged has to be there, and all stores have to be equal. The exit status \
            is 1 when they are not; the stores are then kept. The same seed draws the same, but \
            processes meet at other moments.
            """,
        example: "hold torture sync --seconds 3600"
    )

    private let duration: Duration
    private let clients: Int
    private let seed: UInt64

    init(_ arguments: ParsedArguments) throws(UsageError) {
        duration = .seconds(try arguments.number("seconds", in: 1...1_000_000) ?? 60)
        clients = try arguments.number("clients", in: 1...64) ?? 3
        seed = try arguments.number("seed", in: 0...UInt64.max) ?? .random(in: 0...UInt64.max)
    }

    func run(_ console: Console) async throws -> ExitStatus {
        let torture = try SyncTorture(seed: seed, clients: clients)
        let progress = console.progress("torture", total: UInt64(duration.seconds))
        defer { progress.finish() }
        try await torture.run(for: duration, progress)
        progress.finish()
        let report = torture.report
        if console.isJSON {
            try console.append(report.object)
        } else {
            for line in report.lines(console.terminal) { console.output.append(line + "\n") }
        }
        torture.clean()
        return report.isGood ? .done : .failed
    }
}
