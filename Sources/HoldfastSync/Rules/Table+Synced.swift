public import Holdfast

extension Table {
    /// This table as one whose records are synced.
    ///
    /// Each write of a record is queued for the server in the same transaction, whether or not an
    /// engine runs. Records that were in the table before are queued when an engine is made.
    ///
    /// ```swift
    /// Table(Note.self) { Index("updatedAt") }
    ///     .synced(SyncRules(fields: ["body": .text, "votes": .counter]))
    /// ```
    ///
    /// - Parameter rules: What becomes of edits that meet.
    /// - Returns: The table with the rules.
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

extension Schema {
    /// This schema, whose tables are recorded with mistakes.
    package func planting(_ faults: PlantedFaults) -> Schema {
        changingTables { table in
            guard var rules = table.syncRules else { return }
            rules.faults = faults
            table.recording = SyncedTable(rules: rules)
        }
    }
}

/// What makes a table a synced one.
struct SyncedTable: TableRecording {
    let rules: SyncRules

    func makeRecorder(for schema: Schema) throws -> any TransactionRecorder {
        OutboxRecorder(schema)
    }
}
