import HoldfastStorage

/// A writing transaction: the state after every earlier commit, and its own writes so far.
///
/// It lives inside the closure of ``Store/write(_:atomicOnServer:_:)`` and cannot be copied out of it. A throw
/// from that closure rolls everything back; a throw from a method leaves the transaction as it was
/// before the call, and it can go on.
public struct WriteTransaction: ~Copyable, Transaction {
    /// What the transaction reads, its own writes included.
    public let source: TransactionSource
    let storage: any StorageTransaction
    let ids: RecordIDGenerator
    var tables: [TableName: TableRecord] = [:]
    /// The rules, once a write needed them.
    var rules: Rules?
    /// Whether writes keep the rules.
    var checksRules = true
    /// The references that led to no record when they were written, by the keys of their records.
    var unsettled: [[UInt8]: Set<Reference>] = [:]
    /// What it wrote to recorded tables, where it is recorded.
    var recording: Recording?
    /// Whether records may be written through the store's server alone.
    var refusesRecords = false
    /// The step that it runs, where it is a migration's.
    var migration: MigrationScope?
    /// The record that steps are run on, in place of those that are stored.
    var arriving: ArrivingRecord?

    init(storage: any StorageTransaction, ids: RecordIDGenerator, catalog: IndexCatalog) {
        self.storage = storage
        self.ids = ids
        source = TransactionSource(state: StoreState(storage: storage, catalog: catalog))
    }

    /// Runs the whole of the transaction: `body`, and what has to be settled behind it.
    mutating func run<Result>(
        _ body: (inout WriteTransaction) throws -> sending Result
    ) throws -> sending Result {
        let result = try body(&self)
        try settleReferences()
        try record()
        return result
    }

    /// Runs `body` as a savepoint: when it throws, what it wrote is undone, the error is passed on,
    /// and the transaction goes on.
    ///
    /// ```swift
    /// try? transaction.attempt { transaction in
    ///     try transaction.put(first, in: "notes")
    ///     try transaction.put(second, in: "notes")
    /// }
    /// ```
    ///
    /// - Throws: What `body` throws.
    @discardableResult
    public mutating func attempt<Result>(
        _ body: (inout WriteTransaction) throws -> Result
    ) throws -> Result {
        let before = (tables, rules, unsettled)
        let mark = recording?.mark ?? 0
        do {
            return try storage.attempt { try body(&self) }
        } catch {
            (tables, rules, unsettled) = before
            recording?.undo(to: mark)
            throw StoreError.translating(error)
        }
    }
}
