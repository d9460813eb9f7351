import Holdfast

/// `hold bench`.
struct BenchCommand: Command {
    static let syntax = CommandSyntax(
        "bench",
        "measure this engine on this machine",
        options: [
            .value("records", "N", "records of the large import (1000000)"),
            .value("only", "PART", "engine, typed, observers, compaction, sync or http; else all"),
            .value("directory", "DIR", "the disk to measure; the temporary directory without it"),
            .json,
        ],
        discussion: """
            Records have about 280 bytes. The latency of a commit is measured in one loop with \
            that of a bare overwrite and sync of 256 bytes. Use a release build.
            """,
        example: "hold bench --records 100000"
    )

    /// What is measured.
    private enum Part: String, CaseIterable {
        case engine
        case typed
        case observers
        case compaction
        case sync
        case http

        var steps: Range<Int> {
            switch self {
            case .engine: 0..<6
            case .typed: 6..<10
            case .observers: 10..<12
            case .compaction: 12..<16
            case .sync: 16..<18
            case .http: 18..<19
            }
        }
    }

    private let records: Int
    private let directory: String?
    private let parts: [Part]

    init(_ arguments: ParsedArguments) throws(UsageError) {
        records = try arguments.number("records", in: 1...100_000_000) ?? 1_000_000
        directory = arguments.value("directory")
        parts = try arguments.choice("only", of: Part.self).map { [$0] } ?? Part.allCases
    }

    func run(_ console: Console) async throws -> ExitStatus {
        if Self.isDebugBuild {
            console.message("hold: this is a debug build; its figures mean nothing")
        }
        let place = try TemporaryDirectory(prefix: "hold-bench", in: directory)
        defer { place.remove() }
        var figures: [BenchFigure] = []
        let steps = parts.flatMap(\.steps)
        let progress = console.progress("bench", total: UInt64(steps.count))
        for (done, step) in steps.enumerated() {
            progress.update(UInt64(done), "")
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

    private func measure(_ step: Int, _ benchmark: Benchmark) async throws -> [BenchFigure] {
        switch step {
        case 0: try await benchmark.commitLatency()
        case 1: try await benchmark.commits(writers: 1)
        case 2: try await benchmark.commits(writers: 16)
        case 3: try await benchmark.commits(writers: 64)
        case 4: try await benchmark.bulk()
        case 5: try await benchmark.store()
        case 6..<10: try await measureTyped(step, benchmark)
        case 16: try await SyncBenchmark(directory: benchmark.directory, records: records).pull()
        case 17: try await SyncBenchmark(directory: benchmark.directory, records: records).push()
        case 18: try await HTTPBenchmark(directory: benchmark.directory, records: records).run()
        case 12...: try await measureCompaction(step, benchmark)
        default:
            try await ObserverBenchmark(directory: benchmark.directory)
                .latency(observers: step == 10 ? 1 : 100, limit: records)
        }
    }

    private func measureTyped(
        _ step: Int,
        _ benchmark: Benchmark
    ) async throws -> [BenchFigure] {
        let typed = TypedBenchmark(directory: benchmark.directory, records: records)
        return switch step {
        case 6: try typed.codec()
        case 7: try await typed.memory()
        case 8: try await typed.random()
        default: try await typed.ordered()
        }
    }

    private func measureCompaction(
        _ step: Int,
        _ benchmark: Benchmark
    ) async throws -> [BenchFigure] {
        let compaction = CompactionBenchmark(
            directory: benchmark.directory,
            records: benchmark.records
        )
        return switch step {
        case 12: try await compaction.pause()
        case 13: try await compaction.updates(ofKeys: 1)
        case 14: try await compaction.updates(ofKeys: 1_000)
        default: try await compaction.deletion()
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
