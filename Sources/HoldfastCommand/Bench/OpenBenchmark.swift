import Holdfast
import HoldfastStorage
import HoldfastTesting

/// Runs nothing in the background: no compaction may take a file from under a copy.
private struct NoUpkeep: Scheduler {
    func schedule(after delay: Duration, _ work: @escaping @Sendable () async -> Void) {}
}

/// How long a store takes to open, as a function of what was written since its last checkpoint.
struct OpenBenchmark {
    private static let tails: [UInt64] = [0, 1, 4, 16, 64]
    private static let opens = 5

    let directory: String
    /// A closed store of so many records.
    let path: String
    let records: Int

    /// After a clean close, and after a process was killed with so many MiB behind the checkpoint.
    func run() async throws -> [BenchFigure] {
        var figures = try await cleanClose()
        var configuration = JournalConfiguration()
        // The tail is to grow as long as the benchmark says.
        configuration.checkpointTailBytes = .max / 4
        configuration.checkpointCloseBytes = .max / 4
        configuration.scheduler = NoUpkeep()
        let storage = try await JournalStorage.open(at: path, configuration: configuration)
        let engine = BenchEngine(storage)
        try await storage.checkpoint()
        var random = SplitMix64(7)
        var written: UInt64 = 0
        for tail in Self.tails {
            while written < tail << 20 {
                try Task.checkCancellation()
                let first = Int.random(in: 0..<records, using: &random)
                // Records from all over the index, as an app's are.
                let numbers = (0..<100).map { (first + $0 * 7_919) % records }
                written += try await engine.rewrite(numbers)
            }
            figures.append(try await afterKill(tail))
        }
        try await storage.close()
        return figures
    }

    private func cleanClose() async throws -> [BenchFigure] {
        var times: [Duration] = []
        var reads: [Duration] = []
        for number in 0..<Self.opens {
            let (time, read) = try await open(path, reading: number * 131 % records)
            times.append(time)
            reads.append(read)
        }
        let title = "open after a clean close, \(records.grouped) records"
        return [
            figure("openMilliseconds", title, times),
            figure("firstReadMilliseconds", "first read after that", reads),
        ]
    }

    /// The files as they are now are those of a process that was killed.
    private func afterKill(_ tail: UInt64) async throws -> BenchFigure {
        var times: [Duration] = []
        for _ in 0..<3 {
            let copy = "\(directory)/killed"
            try copyStore(to: copy)
            defer { TemporaryDirectory.remove(copy) }
            times.append(try await open(copy, reading: 0).open)
        }
        return figure("open\(tail)MiB", "open after a kill, \(tail) MiB behind", times)
    }

    private func open(
        _ path: String,
        reading number: Int
    ) async throws -> (open: Duration, read: Duration) {
        let clock = ContinuousClock()
        let start = clock.now
        let engine = try await BenchEngine(at: path)
        let opened = clock.now
        try engine.read(number, in: engine.snapshot())
        let read = clock.now - opened
        try await engine.close()
        return (opened - start, read)
    }

    private func figure(_ key: String, _ title: String, _ times: [Duration]) -> BenchFigure {
        let median = times.sorted()[times.count / 2]
        return BenchFigure(key: key, title: title, value: median.seconds * 1_000, unit: "ms")
    }

    private func copyStore(to copy: String) throws {
        let disk = POSIXFileSystem()
        try disk.createDirectory(copy)
        for name in try disk.list(path) where name != "LOCK" {
            let source = try disk.open("\(path)/\(name)", .read)
            defer { source.close() }
            let target = try disk.open("\(copy)/\(name)", .createNew)
            defer { target.close() }
            var offset: UInt64 = 0
            while true {
                let bytes = try source.read(count: 4 << 20, at: offset)
                if bytes.isEmpty { break }
                try target.write(unsafe bytes.span.bytes, at: offset)
                offset += UInt64(bytes.count)
            }
            try target.sync()
        }
    }
}
