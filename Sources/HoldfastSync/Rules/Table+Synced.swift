public import Holdfast

extension Table {
    /// This table, synced by these rules: each write of its records queues a mutation in the same
    /// transaction.
    public func synced(_ rules: SyncRules = SyncRules()) -> Table {
        var table = self
        var rules = rules
        rules.idField = idField
        table.recording = SyncedTable(rules: rules)
        return table
    }

    /// The rules by which it is synced; `nil` where it is not.
    package var syncRules: SyncRules? { (recording as? SyncedTable)?.rules }
}

/// What makes a table a synced one.
struct SyncedTable: TableRecording {
    let rules: SyncRules

    func makeRecorder(for schema: Schema) throws -> any TransactionRecorder {
        OutboxRecorder(schema)
    }
}
