/// An ordered map from byte keys to byte values, with transactions, snapshots, secondary indexes
/// and a change feed: what the layers above ask of a storage engine.
///
/// ``JournalStorage`` keeps it in a directory, ``MemoryStorage`` in memory. The conformance suite
/// in `HoldfastTesting` states the rules as tests; a third implementation passes it or is wrong.
///
/// Keys order as unsigned bytes, a prefix before its extensions.
public protocol Storage: AnyObject, Sendable {
    /// The state that readers see: everything that is published, nothing that is not.
    ///
    /// It never changes, waits for no writer and makes none wait.
    ///
    /// - Throws: ``StorageError`` `.closed`.
    /// - Complexity: O(1).
    func snapshot() throws(StorageError) -> any StorageSnapshot

    /// Runs one transaction and commits it.
    ///
    /// Transactions run one at a time, in the order in which they were asked for. `body` runs on
    /// the cooperative pool, never on the caller's actor; it sees every earlier commit and its own
    /// writes. When this returns, the commit is durable at `durability` and published. A throw from
    /// `body` rolls everything back. A transaction that wrote nothing commits nothing.
    ///
    /// A task that is cancelled before its commit throws `CancellationError` with nothing written;
    /// after that the commit is carried through and its true outcome reported.
    ///
    /// - Parameters:
    ///   - durability: What the commit has to survive.
    ///   - body: The transaction. It must not store the transaction, which is dead afterwards.
    /// - Returns: What `body` returned, and the commit's number, or the last one's when nothing was
    ///   written.
    /// - Throws: What `body` throws, `CancellationError`, or ``StorageError``. With every error but
    ///   `.outcomeUnknown` nothing of the transaction remains.
    @concurrent
    @discardableResult
    func write<Result>(
        _ durability: Durability,
        _ body: sending (any StorageTransaction) throws -> sending Result
    ) async throws -> sending (result: Result, sequenceNumber: SequenceNumber)

    /// Declares the secondary indexes: builds those that are new or of another version, drops those
    /// that are no longer named. Indexes are derived, never journaled.
    ///
    /// Reads go on meanwhile; writes wait until it is done. It takes its turn among the writers and
    /// is carried through even in a task that is cancelled.
    ///
    /// - Throws: ``StorageError``; the indexes are as they were.
    /// - Complexity: O(records) for each index that has to be built.
    @concurrent
    func setIndexes(_ definitions: [IndexDefinition]) async throws

    /// The transactions after a number, in order, up to what is published when this is called.
    ///
    /// - Parameters:
    ///   - number: The last number that the caller has seen.
    ///   - limit: The greatest number of transactions to return.
    /// - Returns: The transactions, at most `limit`; empty when there is none after `number`.
    /// - Throws: ``StorageError`` `.changesCompacted` when `number` is below the feed floor.
    func changes(after number: SequenceNumber, limit: Int) throws(StorageError) -> [Commit]

    /// Waits until a commit after `number` is published.
    ///
    /// It runs on the cooperative pool, never on the caller's actor: it may have to read the disk.
    ///
    /// - Returns: The greatest published number.
    /// - Throws: `CancellationError`, or ``StorageError`` `.closed`.
    @concurrent
    func waitForCommit(after number: SequenceNumber) async throws -> SequenceNumber

    /// Makes every commit durable and gives every resource back.
    ///
    /// Snapshots that are still held stay readable. Closing twice does nothing.
    ///
    /// - Throws: ``StorageError``; the store is closed all the same.
    @concurrent
    func close() async throws
}
