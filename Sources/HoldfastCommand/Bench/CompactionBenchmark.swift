import Holdfast
import HoldfastStorage
import HoldfastTesting
import Synchronization

/// What compaction costs writers, and how well it keeps the disk within its bound.
struct CompactionBenchmark {
    private static let valueBytes = 280
    private static let sampled = 50_000

    let directory: String
    let records: Int

    /// The latency of single synced commits, alone and while compaction moves what is live.
    func pause() async throws -> [BenchFigure] {
        let path = "\(directory)/compacted"
        let storage = try await filled(at: path)
        defer { withExtendedLifetime(storage) {} }
        // Every second record goes, so that the other half has to be moved.
        try await inBatches { batch in
            try await storage.write(.synced) { transaction in
                for number in batch where number % 2 == 1 { try transaction.delete(key(number)) }
            }
        }
        let alone = try await latencies(storage) { $0 < 2_000 }
        let before = try storage.statistics().files.bytes
        let isDone = Mutex(false)
        let start = ContinuousClock.now
        let compaction = Task {
            defer { isDone.withLock { $0 = true } }
            try await storage.compact()
            return ContinuousClock.now - start
        }
        let during = try await latencies(storage) { _ in !isDone.withLock { $0 } }
        let time = try await compaction.value
        let after = try storage.statistics().files.bytes
        try await storage.close()
        return [
            .time("aloneP50", "synced commit alone, p50", alone.percentile(0.5)),
            .time("aloneP99", "synced commit alone, p99", alone.percentile(0.99)),
            .time("compactingP50", "the same while compacting, p50", during.percentile(0.5)),
            .time("compactingP99", "the same while compacting, p99", during.percentile(0.99)),
            .time("compactingMost", "the same while compacting, longest", during.percentile(1)),
            .size("compactedBefore", "on disk before", before),
            .size("compactedAfter", "on disk after", after),
            .time("compactionTime", "time that it took", time),
        ]
    }

    /// Ten updates for each of `records`, of a few keys, with a reader held open.
    func updates(ofKeys count: Int) async throws -> [BenchFigure] {
        let path = "\(directory)/updated-\(count)"
        let storage = try await JournalStorage.open(at: path)
        for number in 0..<count { try await put(number, in: storage, .buffered) }
        let reader = try storage.snapshot()
        var most: UInt64 = 0
        let start = ContinuousClock.now
        for number in 0..<records * 10 {
            try await put(number % count, in: storage, .buffered)
            if number % Self.sampled == 0 { most = max(most, try storage.statistics().files.bytes) }
        }
        let time = ContinuousClock.now - start
        let (last, kept) = try (storage.snapshot().count, reader.count)
        guard last == count, kept == count else { throw Failure("records are gone") }
        try await storage.close()
        let title = "updates of \(count == 1 ? "one key" : "\(count.grouped) keys")"
        return [
            .rate("updates\(count)", title, records * 10, in: time),
            .size("updates\(count)Disk", "most on disk meanwhile", most),
        ]
    }

    /// The time from the last delete of everything to a directory of less than 10 MiB.
    func deletion() async throws -> [BenchFigure] {
        let path = "\(directory)/deleted"
        let storage = try await filled(at: path)
        try await inBatches { batch in
            try await storage.write(.synced) { transaction in
                for number in batch { try transaction.delete(key(number)) }
            }
        }
        let start = ContinuousClock.now
        while try storage.statistics().files.bytes >= 10 << 20, .now - start < .seconds(60) {
            try await Task.sleep(for: .milliseconds(20))
        }
        let time = ContinuousClock.now - start
        let bytes = try storage.statistics().files.bytes
        try await storage.close()
        return [
            .time("deletedTime", "everything deleted, to under 10 MiB", time),
            .size("deletedDisk", "on disk then", bytes),
        ]
    }

    private func filled(at path: String) async throws -> JournalStorage {
        let storage = try await JournalStorage.open(at: path)
        try await inBatches { batch in
            try await storage.write(.synced) { transaction in
                for number in batch { try transaction.put(value(number), for: key(number)) }
            }
        }
        return storage
    }

    private func inBatches(_ body: (Range<Int>) async throws -> Void) async throws {
        for start in stride(from: 0, to: records, by: 1_000) {
            try await body(start..<min(start + 1_000, records))
        }
    }

    private func latencies(
        _ storage: JournalStorage,
        while goesOn: (Int) -> Bool
    ) async throws -> Latencies {
        var latencies = Latencies()
        var number = 0
        while goesOn(number) {
            try await latencies.measure { try await put(number % records, in: storage, .synced) }
            number += 1
        }
        return latencies
    }

    private func put(
        _ number: Int,
        in storage: JournalStorage,
        _ durability: Durability
    ) async throws {
        try await storage.write(durability) { transaction in
            try transaction.put(value(number), for: key(number))
        }
    }

    private func value(_ number: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: Self.valueBytes)
    }

    /// Keys of 42 bytes in random order.
    private func key(_ number: Int) -> [UInt8] {
        var random = SplitMix64(seed: UInt64(truncatingIfNeeded: number))
        let words = (0..<5).map { _ in random.next() }
        return (0..<42).map { UInt8(truncatingIfNeeded: words[$0 / 9] >> UInt64($0 % 9 * 7)) }
    }
}

extension BenchFigure {
    fileprivate static func size(_ key: String, _ title: String, _ bytes: UInt64) -> BenchFigure {
        BenchFigure(key: key, title: title, value: Double(bytes) / Double(1 << 20), unit: "MiB")
    }
}
