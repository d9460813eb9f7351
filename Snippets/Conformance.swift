import HoldfastStorage
import HoldfastTesting

/// An engine of one's own: here, one that counts what is asked of another.
final class CountingStorage: Storage {
    private let base: any Storage
    private let commits = Counter()

    init(over base: any Storage) { self.base = base }

    var commitCount: Int { get async { await commits.value } }

    func snapshot() throws(StorageError) -> any StorageSnapshot { try base.snapshot() }

    @concurrent
    func write<Result>(
        _ durability: Durability,
        _ body: sending (any StorageTransaction) throws -> sending Result
    ) async throws -> sending (result: Result, sequenceNumber: SequenceNumber) {
        await commits.add(1)
        return try await base.write(durability, body)
    }

    @concurrent
    func setIndexes(_ definitions: [IndexDefinition]) async throws {
        try await base.setIndexes(definitions)
    }

    func changes(after number: SequenceNumber, limit: Int) throws(StorageError) -> [Commit] {
        try base.changes(after: number, limit: limit)
    }

    @concurrent
    func waitForCommit(after number: SequenceNumber) async throws -> SequenceNumber {
        try await base.waitForCommit(after: number)
    }

    @concurrent
    func close() async throws { try await base.close() }
}

actor Counter {
    private(set) var value = 0
    func add(_ count: Int) { value += count }
}

var failures = 0
for check in StorageConformance.checks {
    do {
        try await check.run { CountingStorage(over: MemoryStorage()) }
    } catch {
        print("\(check): \(error)")
        failures += 1
    }
}
print("failures:", failures)
