/// Where the values are that a tree's payloads stand for: the journal's files, or the payload
/// itself.
package protocol ValueSource: Sendable {
    /// Calls `body` with a value's bytes, which are valid during the call.
    ///
    /// - Parameters:
    ///   - payload: What the tree holds for the key.
    ///   - key: The key, to verify what is read.
    ///   - body: Called once with the value.
    /// - Returns: What `body` returned.
    /// - Throws: ``StorageError`` `.corruption` when the value is not what was written.
    func withValue<Result>(
        at payload: RawSpan,
        for key: RawSpan,
        _ body: (RawSpan) -> Result
    ) throws(StorageError) -> Result

    /// A copy of a value.
    func value(at payload: RawSpan, for key: RawSpan) throws(StorageError) -> [UInt8]

    /// Whether values are far away, so that a scan gathers some and reads them together.
    static var readsAhead: Bool { get }

    /// Reads the values of a batch, as far as that is better than reading each at its turn.
    ///
    /// It never fails: what it could not read is read again at its turn, and fails there.
    func read(_ batch: inout ValueBatch)

    /// Visits the values of a tree's keys in any order.
    ///
    /// - Throws: ``StorageError`` at the first value that cannot be read.
    func scanUnordered(
        _ records: BTree,
        in range: KeyRange,
        _ visit: (_ key: RawSpan, _ value: RawSpan) -> Bool
    ) throws(StorageError)
}

extension ValueSource {
    package static var readsAhead: Bool { false }

    package func read(_ batch: inout ValueBatch) {}

    package func scanUnordered(
        _ records: BTree,
        in range: KeyRange,
        _ visit: (_ key: RawSpan, _ value: RawSpan) -> Bool
    ) throws(StorageError) {
        try records.scanValues(in: range, .forward, reading: self, expecting: .max, visit)
    }
}

/// Where a transaction's writes go before it commits, and where its own reads find them.
package protocol TransactionLog: ValueSource {
    /// A position that the log can go back to.
    associatedtype Mark: Sendable

    /// Appends a put and hands `record` the payload that stands for the value from now on.
    ///
    /// Calling `record` is the last step: what it recorded is not taken back. When this throws, the
    /// caller puts the log back to its mark.
    ///
    /// - Throws: What `record` throws, or ``StorageError`` `.transactionTooLarge`.
    mutating func appendPut(
        _ value: RawSpan,
        for key: RawSpan,
        _ record: (_ payload: RawSpan) throws(StorageError) -> Void
    ) throws(StorageError)

    /// Appends a removal.
    ///
    /// - Parameters:
    ///   - key: The key, which is there.
    ///   - hidden: The segments of a journal that may hold a version of it.
    /// - Returns: What is left in a journal in place of the record; `nil` where there is none.
    /// - Throws: ``StorageError`` `.transactionTooLarge`.
    mutating func appendDelete(
        _ key: RawSpan,
        hiding hidden: ClosedRange<UInt32>
    ) throws(StorageError) -> Tombstone?

    /// The end of the log as it is.
    var mark: Mark { get }

    /// Takes back everything that was appended behind a mark.
    mutating func rollBack(to mark: Mark)
}
