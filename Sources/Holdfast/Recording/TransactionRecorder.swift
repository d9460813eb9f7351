/// Told at the end of a transaction's body what it wrote to the tables that it asks for, to keep
/// that in the same transaction.
///
/// ``Store/writeUnrecorded(_:_:)`` and migrations that change a representation alone tell it
/// nothing.
package protocol TransactionRecorder: Sendable {
    /// Whether it wants to be told of a table's records.
    func records(_ table: TableName) -> Bool

    /// Takes what a transaction wrote, after its references were settled.
    ///
    /// What it writes itself is not recorded. What it throws rolls the transaction back.
    func record(_ writes: RecordedWrites, in transaction: inout WriteTransaction) throws

    /// Whether a record is of a form already, or of a newer one: it came so from elsewhere, and the
    /// step that leads there is not for it.
    func hasForm(
        _ form: Int,
        _ id: RecordID,
        in table: TableName,
        _ transaction: borrowing WriteTransaction
    ) throws -> Bool

    /// Brings whatever else it keeps of a table's records to another representation.
    ///
    /// - Parameters:
    ///   - table: A table that it is told of.
    ///   - form: The form that the step leads to.
    ///   - transaction: A step of a migration.
    ///   - body: The step's change of one record.
    /// - Throws: What `body` throws, or ``StoreError``.
    func transform(
        _ table: TableName,
        to form: Int,
        in transaction: inout WriteTransaction,
        _ body: (inout JSONObject, inout WriteTransaction) throws -> Void
    ) throws
}

/// What makes a table one whose writes are recorded.
package protocol TableRecording: Sendable {
    /// The one recorder of all tables of a schema; each has a recording of this kind, or none.
    ///
    /// - Throws: An error that opening the store ends with.
    func makeRecorder(for schema: Schema) throws -> any TransactionRecorder
}

/// A write that stands for more than the record's new state, such as "add 1".
package protocol RecordedIntent: Sendable {}
