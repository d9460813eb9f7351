import Holdfast

/// `hold bench`.
struct BenchCommand: Command {
    static let syntax = CommandSyntax(
        "bench",
        "measure this engine on this machine",
        options: [
            .value("records", "N", "records of the large import (1000000)"),
            .value("directory", "DIR", "the disk to measure; the temporary directory without it"),
            .json,
        ],
        discussion: """
            Records have about 280 bytes. The latency of a commit is measured in one loop with \
            that of a bare overwrite and sync of 256 bytes. Use a release build.
            """,
        example: "hold bench --records 100000"
    )

    private let records: Int
    private let directory: String?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        records = try arguments.number("records", in: 1...100_000_000) ?? 1_000_000
        directory = arguments.value("directory")
    }

    func run(_ console: Console) async throws -> ExitStatus {
        if Self.isDebugBuild {
            console.message("hold: this is a debug build; its figures mean nothing")
        }
        let place = try TemporaryDirectory(prefix: "hold-bench", in: directory)
        defer { place.remove() }
        var figures: [BenchFigure] = []
        let progress = console.progress("bench", total: Self.steps)
        for step in 0..<Self.steps {
            progress.update(step, "")
            let measured = try await measure(
                step,
                Benchmark(directory: place.path, records: records)
            )
            figures += measured
            if !console.isJSON { try show(measured, console, progress) }
        }
        progress.finish()
        if console.isJSON { try console.append(Self.object(figures)) }
        return .done
    }

    private static let steps: UInt64 = 6

    private func measure(_ step: UInt64, _ benchmark: Benchmark) async throws -> [BenchFigure] {
        switch step {
        case 0: try await benchmark.commitLatency()
        case 1: try await benchmark.commits(writers: 1)
        case 2: try await benchmark.commits(writers: 16)
        case 3: try await benchmark.commits(writers: 64)
        case 4: try await benchmark.bulk()
        default: try await benchmark.store()
        }
    }

    private func show(_ figures: [BenchFigure], _ console: Console, _ progress: ProgressBar) throws
    {
        progress.finish()
        for figure in figures {
            let title =
                figure.title + String(repeating: " ", count: max(1, 42 - figure.title.count))
            let padding = String(repeating: " ", count: max(0, 12 - figure.text.count))
            console.output.append("\(title)\(padding)\(figure.text) \(figure.unit)\n")
        }
        try console.output.flush()
    }

    private static func object(_ figures: [BenchFigure]) -> JSONObject {
        var object: JSONObject = ["debugBuild": .bool(isDebugBuild)]
        for figure in figures {
            object[figure.key] = .double((figure.value * 10).rounded() / 10)
        }
        return object
    }

    private static var isDebugBuild: Bool {
        var isDebug = false
        // An assertion is evaluated in a debug build alone.
        assert(
            {
                isDebug = true
                return true
            }()
        )
        return isDebug
    }
}
