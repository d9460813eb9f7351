import HoldfastStorage

/// A writing transaction: the state after every earlier commit, and its own writes so far.
///
/// It lives inside the closure of ``Store/write(_:_:)`` and cannot be copied out of it. A throw from
/// that closure rolls everything back; a throw from a method leaves the transaction as it was before
/// the call, and it can go on.
public struct WriteTransaction: ~Copyable, Transaction {
    /// The state that the transaction reads, its own writes included.
    public let state: StoreState
    let storage: any StorageTransaction
    var tables: [TableName: TableRecord] = [:]

    init(storage: any StorageTransaction) {
        self.storage = storage
        state = StoreState(storage: storage)
    }

    /// Names a table's id field, which every later put into the table follows.
    ///
    /// A table that was never declared gets the field `id` with its first record.
    ///
    /// - Throws: ``StoreError`` `.idFieldMismatch` when the table has another id field already.
    public mutating func declare(_ table: TableName, idField: String) throws {
        let known = try tableRecord(of: table, orDeclaring: idField)
        guard UTF8Order.same(known.idField, idField) else {
            throw StoreError(
                .idFieldMismatch,
                "The table's records have their id in the field \(known.idField), not \(idField);"
                    + " use that field, or another table.",
                table: table,
                field: idField
            )
        }
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
    public mutating func attempt<Result>(
        _ body: (inout WriteTransaction) throws -> Result
    ) throws -> Result {
        let before = tables
        do {
            return try storage.attempt { try body(&self) }
        } catch {
            tables = before
            throw StoreError.translating(error)
        }
    }
}

extension WriteTransaction {
    mutating func tableRecord(
        of table: TableName,
        orDeclaring idField: String
    ) throws -> TableRecord { TableRecord(idField: idField) }
}

extension WriteTransaction {
    func declare(_ index: TableIndex) throws -> Bool { false }
    func drop(_ index: TableIndex) throws -> Bool { false }
}
