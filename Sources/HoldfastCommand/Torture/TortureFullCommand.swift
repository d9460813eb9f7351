import Holdfast

/// `hold torture full`.
struct TortureFullCommand: Command {
    static let syntax = CommandSyntax(
        "torture full",
        "fill a small disk, and check that a store on it deletes and goes on",
        positionals: [.required("DIRECTORY")],
        options: [
            .value("rounds", "N", "how often to fill it (4)"),
            .value("seed", "S", "what everything follows from; random without it"),
            .json,
        ],
        discussion: """
            Makes a store in DIRECTORY, which has to be on a file system with little room, such as \
            an image of 64 MiB that is mounted for this, and fills it until a commit is refused. \
            Then everything acknowledged has to be there, deletes have to work, and commits have \
            to work again, without opening the store anew; every other round it is closed and \
            opened while the disk is full. The exit status is 1 when anything was lost or refused.
            """,
        example: "hold torture full /mnt/small"
    )

    /// Filling a disk that others need would harm them.
    private static let largestDisk: UInt64 = 1 << 30

    private let directory: String
    private let rounds: Int
    private let seed: UInt64

    init(_ arguments: ParsedArguments) throws(UsageError) {
        directory = arguments.positional(0)
        rounds = try arguments.number("rounds", in: 1...10_000) ?? 4
        seed = try arguments.number("seed", in: 0...UInt64.max) ?? .random(in: 0...UInt64.max)
    }

    func run(_ console: Console) async throws -> ExitStatus {
        let available = try DiskSpace.available(at: directory)
        guard available <= Self.largestDisk else {
            throw Failure(
                "\(directory) is on a file system with \(Int(clamping: available).asBytes) free, and this"
                    + " would fill it; name one with at most 1 GiB, such as a mounted image"
            )
        }
        let story = try FullDiskStory(in: directory, seed: seed, console)
        let outcome: (any Error)?
        do {
            try await story.run(rounds: rounds)
            outcome = nil
        } catch {
            outcome = error
        }
        try print(story.report, console)
        if let outcome { throw outcome }
        return .done
    }

    private func print(_ report: FullDiskStory.Report, _ console: Console) throws {
        if console.isJSON {
            try console.append(report.object)
        } else {
            for line in report.lines { console.output.append(line + "\n") }
        }
        try console.output.flush()
    }
}
