import Holdfast
import HoldfastTesting

/// The measurements of `hold bench`, each in a store of its own.
struct Benchmark {
    private static let latencySamples = 2_000
    private static let concurrentTime = Duration.seconds(1)
    private static let storeRecords = 100_000

    let directory: String
    let records: Int

    /// A single commit beside what the disk takes, one after the other in one loop.
    func commitLatency() async throws -> [BenchFigure] {
        let raw = try RawDisk(at: "\(directory)/raw")
        let engine = try await BenchEngine(at: "\(directory)/latency")
        var rawTimes = Latencies()
        var commitTimes = Latencies()
        for number in 0..<Self.latencySamples {
            try Task.checkCancellation()
            try await rawTimes.measure { try raw.writeAndSync(number) }
            try await commitTimes.measure { try await engine.commitOne(number, bytes: 256) }
        }
        try await engine.close()
        return [
            .time("rawP50", "256-byte overwrite and sync, p50", rawTimes.percentile(0.5)),
            .time("rawP99", "256-byte overwrite and sync, p99", rawTimes.percentile(0.99)),
            .time("commitP50", "one-record .synced commit, p50", commitTimes.percentile(0.5)),
            .time("commitP99", "one-record .synced commit, p99", commitTimes.percentile(0.99)),
        ]
    }

    /// Commits a second with so many writers at once.
    func commits(writers: Int) async throws -> [BenchFigure] {
        let engine = try await BenchEngine(at: "\(directory)/writers-\(writers)")
        let end = ContinuousClock.now + Self.concurrentTime
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for writer in 0..<writers {
                group.addTask { try await Self.commit(to: engine, as: writer, until: end) }
            }
            return try await group.reduce(0, +)
        }
        let time = ContinuousClock.now - end + Self.concurrentTime
        try await engine.close()
        let title = "\(writers) concurrent writer\(writers == 1 ? "" : "s"), .synced commits"
        return [.rate("commits\(writers)", title, count, in: time)]
    }

    private static func commit(
        to engine: BenchEngine,
        as writer: Int,
        until end: ContinuousClock.Instant
    ) async throws -> Int {
        var count = 0
        while .now < end {
            try await engine.commitOne(writer * 100_000_000 + count, bytes: 256)
            count += 1
        }
        return count
    }

    /// A large import, and reading it.
    func bulk() async throws -> [BenchFigure] {
        let path = "\(directory)/bulk"
        var figures = try await importBulk(path)
        let opening = OpenBenchmark(directory: directory, path: path, records: records)
        figures += try await opening.run()
        let engine = try await BenchEngine(at: path)
        figures += try read(engine)
        try await engine.close()
        return figures
    }

    private func importBulk(_ path: String) async throws -> [BenchFigure] {
        let clock = ContinuousClock()
        let engine = try await BenchEngine(at: path)
        let memory = residentMemory()
        let time = try await clock.measure {
            for start in stride(from: 0, to: records, by: 1_000) {
                try Task.checkCancellation()
                try await engine.commit(start..<min(start + 1_000, records))
            }
        }
        let growth = memory.flatMap { before in residentMemory().map { $0 - before } }
        try await engine.close()
        var figures = [
            BenchFigure.rate("importRecords", "import, 1,000 records a commit", records, in: time)
        ]
        if let growth {
            let share = Double(growth) / Double(records)
            let title = "memory a record beyond its value"
            figures.append(BenchFigure(key: "memoryBytes", title: title, value: share, unit: "B"))
        }
        return figures
    }

    private func read(_ engine: BenchEngine) throws -> [BenchFigure] {
        let clock = ContinuousClock()
        let reads = min(records, 500_000)
        var random = SplitMix64(1)
        let snapshot = try engine.snapshot()
        let readTime = try clock.measure {
            for _ in 0..<reads {
                try engine.read(.random(in: 0..<records, using: &random), in: snapshot)
            }
        }
        let scanTime = try clock.measure {
            guard try engine.scan() == records else { throw Failure("the scan missed records") }
        }
        return [
            .rate("pointReads", "point reads, random keys", reads, in: readTime),
            .rate("scanRecords", "full scan, with values", records, in: scanTime),
        ]
    }

    /// JSON records through `Store`, as an app writes them.
    func store() async throws -> [BenchFigure] {
        let store = try await Store.open(at: "\(directory)/store")
        let clock = ContinuousClock()
        var notes = SampleNotes(prefix: "n", seed: 1)
        let batches = (0..<Self.storeRecords / 1_000).map { _ in
            (0..<1_000).map { _ in notes.next() }
        }
        let time = try await clock.measure {
            for batch in batches {
                try Task.checkCancellation()
                try await store.write { transaction in
                    for note in batch { try transaction.put(note, in: "notes") }
                }
            }
        }
        let queryTime = try clock.measure {
            let query = Query("notes").where("stars", .isAtLeast, 4)
            _ = try store.read { try $0.count(query) }
        }
        try await store.close()
        return [
            .rate("storePuts", "JSON records through Store.write", Self.storeRecords, in: time),
            .rate(
                "storeFilter",
                "records filtered without an index",
                Self.storeRecords,
                in: queryTime
            ),
        ]
    }
}
