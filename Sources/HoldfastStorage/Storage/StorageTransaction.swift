/// A write transaction: the state after every earlier commit, and this transaction's own writes.
///
/// It is valid inside the closure that it was handed to and throws `.closed` outside. It is a
/// snapshot too: every read sees the writes made so far. A scan visits the state as it stood when
/// the scan began; writing from inside a scan is allowed and does not change what it visits.
public protocol StorageTransaction: StorageSnapshot {
    /// Sets a key's value.
    ///
    /// - Parameters:
    ///   - value: The new value; it may be empty.
    ///   - key: 1 to ``StorageLimits/keyBytes`` bytes.
    /// - Throws: ``StorageError`` `.invalidKey` or `.transactionTooLarge`; the transaction is as it
    ///   was, and can go on.
    func put(_ value: RawSpan, for key: RawSpan) throws(StorageError)

    /// Removes a key.
    ///
    /// - Returns: Whether it had a value.
    /// - Throws: ``StorageError``; the transaction is as it was, and can go on.
    @discardableResult
    func delete(_ key: RawSpan) throws(StorageError) -> Bool

    /// Runs `body` as a savepoint: when it throws, what it wrote is undone and the transaction goes
    /// on.
    func attempt<Result>(_ body: () throws -> Result) throws -> Result
}
