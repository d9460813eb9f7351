/// What a transaction wrote to recorded tables.
package struct RecordedWrites: Sendable {
    /// The writes, in the order of the first touch of each record.
    ///
    /// All plain writes of a record are one, with what they changed in the end, or none. One with
    /// an intent stands for itself; plain writes before and behind it are two.
    package let writes: [RecordedWrite]
    /// Whether the writer asked for all or nothing on the server.
    package let isAtomicOnServer: Bool
}

/// A write of a record by a transaction.
package struct RecordedWrite: Sendable {
    /// The table.
    package let table: TableName
    /// The record's id.
    package let id: RecordID
    /// The record's document before; `nil` where there was none.
    package let before: [UInt8]?
    /// The record's document behind it; `nil` where there is none.
    package let after: [UInt8]?
    /// What it stands for besides.
    package let intent: (any RecordedIntent)?
}
