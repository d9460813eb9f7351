import Synchronization

extension JournalStorage {
    /// How the cache of values does; `nil` where the configuration allows it no memory.
    package var cacheStatistics: ValueCache.Statistics? { files.cache?.statistics }

    /// The transactions after a number; see ``Storage/changes(after:limit:)``.
    public func changes(
        after number: SequenceNumber,
        limit: Int
    ) throws(StorageError) -> [Commit] {
        let last = try queue.withLock { queue throws(StorageError) in
            if queue.isClosed { throw .closed }
            return queue.published.sequenceNumber
        }
        return try changeReader.commits(after: number, through: last, limit: limit)
    }

    /// Waits for the next commit; see ``Storage/waitForCommit(after:)``.
    @concurrent
    public func waitForCommit(after number: SequenceNumber) async throws -> SequenceNumber {
        try await signal.wait(after: number)
    }

    /// Declares the secondary indexes; see ``Storage/setIndexes(_:)``.
    @concurrent
    public func setIndexes(_ definitions: [IndexDefinition]) async throws {
        await gate.enterIgnoringCancellation()
        defer { gate.leave() }
        if queue.withLock({ !$0.isIdle }) { try await finish(addMark(.buffered)) }
        var root = try queue.withLock { queue throws(StorageError) in try queue.turn().root }
        let woken = dormant.withLock { $0 }?.woken(definitions, in: root, changeReader, files) ?? []
        let built = try root.setIndexes(definitions, waking: woken, reading: files)
        queue.withLock { $0.replaceRoot(root) }
        dormant.withLock { $0 = nil }
        if let built {
            noteIndexes(entries: built)
        } else if checkpoints.withLock({ $0.lacksIndexes }) {
            noteIndexes(entries: root.indexes.reduce(0) { $0 + $1.entries.count })
        }
    }
}
