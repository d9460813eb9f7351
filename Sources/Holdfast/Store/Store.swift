public import HoldfastStorage
import Synchronization

/// A store: tables of records in a directory, read and written in transactions.
///
/// ```swift
/// let store = try await Store.open(at: "notes.holdfast")
/// try await store.write { transaction in
///     try transaction.put(["title": "Bread"], in: "notes")
/// }
/// let notes = try store.read { transaction in
///     try transaction.fetch(Query("notes").order(by: "title").limit(50))
/// }
/// try await store.close()
/// ```
///
/// Every method may be called from any task and any thread.
public final class Store: Sendable {
    /// What a commit survives when the write does not say.
    public let durability: Durability

    /// What the app declared when it opened the store.
    public let schema: Schema?

    package let storage: any Storage
    let usesIndexes: Bool
    let observation: StoreObservation
    let served: Atomic<Bool>
    let listeners = CommitListeners()
    let resumed = Atomic(0)
    let ids: RecordIDGenerator
    let catalog = IndexCatalog()
    let recording: Mutex<(any TransactionRecorder)?>

    /// A store over a storage engine, such as `MemoryStorage`.
    ///
    /// It builds the indexes that the stored definitions name, unless it is to use none.
    ///
    /// - Parameters:
    ///   - storage: The engine; nothing else may write to it.
    ///   - schema: What the app declares; without one the store has what is stored.
    ///   - durability: What a commit survives when the write does not say.
    ///   - usesIndexes: Whether queries use the declared indexes.
    ///   - ids: What mints the ids of records that are put without one.
    ///   - progress: Called in the course of a migration, on the cooperative pool.
    /// - Throws: ``StoreError`` as ``open(at:schema:options:)``; the storage is as it was, but for
    ///   steps of the schema that were run, and stays open.
    /// - Complexity: O(records) for each index that has to be built.
    @concurrent
    public init(
        storage: any Storage,
        schema: Schema? = nil,
        durability: Durability = .synced,
        usesIndexes: Bool = true,
        ids: RecordIDGenerator = .system,
        progress: (@Sendable (MigrationProgress) -> Void)? = nil
    ) async throws {
        self.schema = schema
        self.storage = storage
        observation = StoreObservation(storage)
        self.durability = durability
        self.usesIndexes = usesIndexes
        self.ids = ids
        recording = Mutex(try schema?.makeRecorder())
        served = Atomic(try storage.snapshot().contains(SystemKey.served))
        if let schema {
            try await SchemaOpening(schema: schema, store: self, progress: progress).run()
        }
        try await buildIndexes()
    }

    /// Reads one immutable state of the store.
    ///
    /// It runs `body` at once in the caller's thread, waits for no writer and makes none wait. What
    /// `body` reads is the state after every commit whose write had returned when it began. Each
    /// survives what its own level says: a `.buffered` one is read before it is safe from power
    /// loss.
    ///
    /// - Parameter body: The transaction, which cannot leave the closure.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or ``StoreError`` `.closed`.
    public func read<Result>(
        _ body: (borrowing ReadTransaction) throws -> Result
    ) throws -> Result {
        try StoreError.translate {
            let state = StoreState(storage: try storage.snapshot(), catalog: catalog)
            return try body(ReadTransaction(state: state))
        }
    }

    /// Runs one transaction and commits it.
    ///
    /// Transactions run one at a time, on the cooperative pool and never on the caller's actor.
    /// When this returns, the commit is as durable as `durability` says and readers see it.
    ///
    /// A throw from `body` rolls everything back, and so does a field that refers to no record when
    /// `body` ends. A task that is cancelled before its commit throws `CancellationError` with
    /// nothing written; after that the commit is carried through.
    ///
    /// - Parameters:
    ///   - durability: What the commit has to survive; the store's own level when it is `nil`.
    ///   - isAtomicOnServer: Whether what it writes to synced tables is applied by the server as
    ///     one too, or not at all: at most 500 changes and 1 MiB of them. It is applied in separate
    ///     steps otherwise.
    ///   - body: The transaction, which cannot leave the closure.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, `CancellationError`, or ``StoreError``, such as
    ///   `.missingReference`, or `.served` for records of a store that a server serves. With every
    ///   error but `.outcomeUnknown` nothing of the transaction remains.
    @concurrent
    @discardableResult
    public func write<Result>(
        _ durability: Durability? = nil,
        atomicOnServer isAtomicOnServer: Bool = false,
        _ body: sending (inout WriteTransaction) throws -> sending Result
    ) async throws -> sending Result {
        do {
            let (ids, catalog, recorder, isServed) = (ids, catalog, recorder, isServed)
            let result = try await storage.write(durability ?? self.durability) { raw in
                var transaction = WriteTransaction(storage: raw, ids: ids, catalog: catalog)
                transaction.refusesRecords = isServed
                if let recorder {
                    transaction.recording = Recording(recorder, isAtomicOnServer: isAtomicOnServer)
                }
                return try transaction.run(body)
            }.result
            if recorder != nil { listeners.tell() }
            return result
        } catch {
            throw StoreError.translating(error)
        }
    }

    /// Makes every commit durable and gives every resource back.
    ///
    /// Reads that run go on; later ones throw ``StoreError`` `.closed`. Closing twice does nothing.
    ///
    /// - Throws: ``StoreError``; the store is closed all the same.
    @concurrent
    public func close() async throws {
        do {
            try await storage.close()
        } catch {
            throw StoreError.translating(error)
        }
    }
}
