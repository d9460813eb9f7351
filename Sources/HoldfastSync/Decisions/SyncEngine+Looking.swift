import Holdfast

/// What waits in the store, whether or not the engine runs.
extension SyncEngine {
    /// How far one record and the server are apart.
    ///
    /// - Parameter record: The record.
    /// - Returns: Its status.
    /// - Throws: `StoreError`, or ``SyncError`` `.damagedState`.
    public func status(of record: RecordReference) throws -> RecordStatus {
        let tables = try SyncedTables(store)
        return try store.read { transaction in
            try transaction.recordStatus(record) { try transaction.blockers(of: $0, tables) }
        }
    }

    /// The local changes that the server has not acknowledged, in their order.
    ///
    /// - Parameter limit: The greatest number of changes.
    /// - Returns: The changes.
    /// - Throws: `StoreError`, or ``SyncError`` `.damagedState`.
    public func pendingChanges(limit: Int = 1_000) throws -> [PendingChange] {
        try store.read { try $0.pendingChanges(limit: limit) }
    }

    /// The changes that the server refused: nothing happens to them until somebody edits their
    /// record, retries or discards them.
    ///
    /// - Returns: The changes, in their order.
    /// - Throws: `StoreError`, or ``SyncError`` `.damagedState`.
    public func attention() throws -> [PendingChange] {
        try store.read { try $0.refusedChanges() }
    }

    /// The records that wait for a decision between two versions.
    ///
    /// - Returns: The records, with both versions.
    /// - Throws: `StoreError`, or ``SyncError`` `.damagedState`.
    public func conflicts() throws -> [RecordConflict] {
        try store.read { try $0.recordConflicts() }
    }

    /// What the next sync would do, record by record, without doing it.
    ///
    /// - Returns: A step for each record that has changes, in the order of the outbox.
    /// - Throws: `StoreError`, or ``SyncError`` `.damagedState`.
    /// - Complexity: O(changes that wait).
    public func plan() throws -> [PlannedStep] {
        let tables = try SyncedTables(store)
        return try store.read { try $0.plannedSteps(tables) }
    }

    /// What became of a record: the commits that the journal still has, what waits, and what was
    /// decided.
    ///
    /// - Parameter record: The record.
    /// - Returns: Its history.
    /// - Throws: `StoreError`, or ``SyncError`` `.damagedState`.
    /// - Complexity: O(commits that the journal has).
    public func explain(_ record: RecordReference) throws -> RecordHistory {
        try store.history(of: record, SyncedTables(store))
    }

    /// What decisions between two edits have discarded, here and on other replicas.
    ///
    /// - Parameter limit: The greatest number of entries.
    /// - Returns: The entries, in the order of their ids.
    /// - Throws: `StoreError`.
    public func ledger(limit: Int = 1_000) throws -> [LedgerEntry] {
        try store.read { transaction in
            try transaction.fetch(Query(LedgerEntry.table).limit(max(limit, 0)))
                .compactMap { try? LedgerEntry(json: $0) }
        }
    }
}
