import Synchronization

/// A ``Storage`` in memory: for tests, previews and data that may go with the process.
///
/// It keeps every rule of ``Storage``; a commit is as durable as memory is, at every level.
public final class MemoryStorage: Storage {
    private struct State {
        var root = StorageRoot()
        var feed: ChangeFeed
        var isClosed = false
    }

    private let gate = WriterGate()
    private let signal = CommitSignal()
    private let state: Mutex<State>

    /// An empty storage.
    ///
    /// - Parameter retainedCommits: How many of the newest transactions `changes(after:limit:)` can
    ///   give back; older ones are forgotten. The default keeps 10,000.
    public init(retainedCommits: Int = 10_000) {
        state = Mutex(State(feed: ChangeFeed(retaining: retainedCommits)))
    }

    /// The state that readers see.
    ///
    /// - Throws: ``StorageError`` `.closed`.
    public func snapshot() throws(StorageError) -> any StorageSnapshot {
        TreeSnapshot(try openRoot(), reading: MemoryLog())
    }

    /// Runs one transaction and commits it; see ``Storage/write(_:_:)``.
    ///
    /// - Parameters:
    ///   - durability: Without effect: memory survives nothing.
    ///   - body: The transaction.
    /// - Returns: What `body` returned, and the number of the last commit.
    /// - Throws: What `body` throws, `CancellationError` or ``StorageError``; nothing was written.
    @concurrent
    @discardableResult
    public func write<Result>(
        _ durability: Durability,
        _ body: sending (any StorageTransaction) throws -> sending Result
    ) async throws -> sending (result: Result, sequenceNumber: SequenceNumber) {
        try await gate.enter()
        defer { gate.leave() }
        let transaction = TreeTransaction(try openRoot(), log: MemoryLog())
        let result: Result
        do {
            result = try body(transaction)
        } catch {
            _ = transaction.end()
            throw error
        }
        let number = try commit(transaction)
        return (result, number)
    }

    private func commit(_ transaction: TreeTransaction<MemoryLog>) throws -> SequenceNumber {
        var (root, log) = transaction.end()
        try Task.checkCancellation()
        guard !log.changes.isEmpty else { return root.sequenceNumber }
        root.sequenceNumber = root.sequenceNumber.next
        publish(root, Commit(sequenceNumber: root.sequenceNumber, changes: log.changes))
        return root.sequenceNumber
    }

    private func publish(_ root: StorageRoot, _ commit: Commit) {
        // The old root goes outside the lock: giving back its nodes takes time.
        let old = state.withLock { state in
            let old = state.root
            state.root = root
            state.feed.append(commit)
            return old
        }
        signal.publish(commit.sequenceNumber)
        withExtendedLifetime(old) {}
    }

    /// Declares the secondary indexes; see ``Storage/setIndexes(_:)``.
    ///
    /// - Throws: ``StorageError``; the indexes are as they were.
    /// - Complexity: O(records) for each index that has to be built.
    @concurrent
    public func setIndexes(_ definitions: [IndexDefinition]) async throws {
        await gate.enterIgnoringCancellation()
        defer { gate.leave() }
        var root = try openRoot()
        try root.setIndexes(definitions, reading: MemoryLog())
        let declared = root
        state.withLock { $0.root = declared }
    }

    /// The transactions after a number, in order.
    ///
    /// - Parameters:
    ///   - number: The last number that the caller has seen.
    ///   - limit: The greatest number of transactions to return.
    /// - Returns: The transactions; empty when there is none after `number`.
    /// - Throws: ``StorageError`` `.changesCompacted`, or `.closed`.
    public func changes(
        after number: SequenceNumber,
        limit: Int
    ) throws(StorageError) -> [Commit] {
        try state.withLock { (state) throws(StorageError) in
            guard !state.isClosed else { throw Self.closedError }
            return try state.feed.commits(after: number, limit: limit)
        }
    }

    /// Waits until a commit after `number` is published.
    ///
    /// - Parameter number: The last number that the caller has seen.
    /// - Returns: The greatest published number.
    /// - Throws: `CancellationError`, or ``StorageError`` `.closed`.
    @concurrent
    public func waitForCommit(after number: SequenceNumber) async throws -> SequenceNumber {
        try await signal.wait(after: number)
    }

    /// Lets the transactions that were asked for before finish, and refuses everything after.
    ///
    /// Snapshots that are still held stay readable. Closing twice does nothing.
    @concurrent
    public func close() async throws {
        await gate.enterIgnoringCancellation()
        defer { gate.leave() }
        state.withLock { state in
            state.isClosed = true
            state.root = StorageRoot(sequenceNumber: state.root.sequenceNumber)
        }
        signal.close()
    }

    private func openRoot() throws(StorageError) -> StorageRoot {
        try state.withLock { (state) throws(StorageError) in
            guard !state.isClosed else { throw Self.closedError }
            return state.root
        }
    }

    private static var closedError: StorageError {
        StorageError(.closed, "The store is closed; open it again.")
    }
}
