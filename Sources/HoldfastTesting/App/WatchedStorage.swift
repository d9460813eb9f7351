import HoldfastStorage

/// A storage that notes every commit, and when it was acknowledged.
final class WatchedStorage: Storage {
    private let base: any Storage
    private let log: CommitLog

    init(over base: any Storage, _ log: CommitLog) {
        self.base = base
        self.log = log
    }

    func snapshot() throws(StorageError) -> any StorageSnapshot { try base.snapshot() }

    @concurrent
    func write<Result>(
        _ durability: Durability,
        _ body: sending (any StorageTransaction) throws -> sending Result
    ) async throws -> sending (result: Result, sequenceNumber: SequenceNumber) {
        let ((result, before), number) = try await base.write(durability) { transaction in
            let before = transaction.sequenceNumber
            return (try body(transaction), before)
        }
        // A transaction that wrote nothing has the number of the one before it.
        if number > before {
            let previous = SequenceNumber(number.rawValue - 1)
            let commit = try base.changes(after: previous, limit: 1).first
            if let commit { log.acknowledge(commit, durability) }
        }
        return (result, number)
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
