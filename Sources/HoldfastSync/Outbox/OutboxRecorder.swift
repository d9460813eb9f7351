import Holdfast

/// Queues a mutation for each write of a synced table's record, in the write's own transaction.
struct OutboxRecorder: TransactionRecorder {
    private let tables: SyncedTables

    init(_ schema: Schema) { tables = SyncedTables(schema) }

    func records(_ table: TableName) -> Bool { false }

    func record(_ writes: RecordedWrites, in transaction: inout WriteTransaction) throws {}

    func transform(
        _ table: TableName,
        in transaction: inout WriteTransaction,
        _ body: (inout JSONObject, inout WriteTransaction) throws -> Void
    ) throws {}
}
