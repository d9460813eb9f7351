/// What can be read in a transaction: one state of the store, which never changes under the reader.
///
/// ``ReadTransaction`` and ``WriteTransaction`` conform; nothing else does. A function that reads
/// may take `borrowing some Transaction & ~Copyable` and then serves both.
public protocol Transaction: ~Copyable {
    /// What the transaction reads; it cannot be made or copied outside of this library.
    var source: TransactionSource { get }
}

extension Transaction where Self: ~Copyable {
    var state: StoreState { source.state }

    /// The last commit that this state holds.
    public var sequenceNumber: SequenceNumber { state.storage.sequenceNumber }

    /// The record with an id, or `nil` where there is none.
    ///
    /// - Throws: ``StoreError`` `.corruption` when it cannot be read back; other records are not
    ///   affected.
    /// - Complexity: O(log n) and at most one read from the disk.
    public func get(_ id: RecordID, in table: TableName) throws -> JSONObject? {
        try state.object(for: id, in: table)
    }

    /// Whether there is a record with an id.
    ///
    /// - Complexity: O(log n).
    public func contains(_ id: RecordID, in table: TableName) throws -> Bool {
        try state.contains(id, in: table)
    }

    /// The number of records in a table.
    ///
    /// - Complexity: O(log n).
    public func count(of table: TableName) throws -> Int {
        try state.count(of: table)
    }

    /// What is known of a table, or `nil` when it was neither filled nor declared.
    public func description(of table: TableName) throws -> TableDescription? {
        try state.description(of: table)
    }

    /// Every table that was ever filled or declared, in the byte order of the names.
    ///
    /// - Complexity: O(t log n) for t tables.
    public func tables() throws -> [TableDescription] {
        try state.tables()
    }

    /// The bytes that a table's records take as stored, keys included.
    ///
    /// - Complexity: O(n): it reads every record of the table.
    public func bytes(of table: TableName) throws -> Int {
        try state.bytes(of: table)
    }
}
