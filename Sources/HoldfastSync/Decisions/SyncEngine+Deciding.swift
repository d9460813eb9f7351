public import Holdfast

/// What a person or the app decides, whether or not the engine runs.
extension SyncEngine {
    /// Sends a change that the server refused once more.
    ///
    /// - Parameter change: Its name.
    /// - Throws: ``SyncError`` `.noSuchMutation`; or `StoreError`.
    public func retry(_ change: MutationKey) async throws {
        let commands = try commands
        try await store.writeUnrecorded { try commands.retry(change, in: &$0) }
        notify(.localWrite)
    }

    /// What goes with a change that is discarded: itself, what means nothing without it, and with a
    /// creation everything of the records that refer to it and wait to be created.
    ///
    /// - Parameter change: Its name.
    /// - Returns: The changes, that one first.
    /// - Throws: ``SyncError`` `.noSuchMutation`; or `StoreError`.
    public func changesDiscarded(with change: MutationKey) async throws -> [PendingChange] {
        let commands = try commands
        return try await store.writeUnrecorded { transaction in
            try commands.dependents(of: change, transaction).map { PendingChange($0) }
        }
    }

    /// Gives a change up, with what ``changesDiscarded(with:)`` lists: the records are again as the
    /// server has them, with the changes that remain.
    ///
    /// - Parameter change: Its name.
    /// - Returns: The changes that are gone.
    /// - Throws: ``SyncError`` `.noSuchMutation`, or `.outcomeUnknown` while one of them is on its
    ///   way; or `StoreError`. Nothing was changed.
    @discardableResult
    public func discard(_ change: MutationKey) async throws -> [PendingChange] {
        let commands = try commands
        let gone = try await store.writeUnrecorded { try commands.discard(change, in: &$0) }
        if core.isRunning, gone.contains(where: { OutstandingMutation($0) != nil }) {
            try? await call { $0.forget(gone) }
        }
        notify(.localWrite)
        return gone.map { PendingChange($0) }
    }

    /// Decides between two versions of a record, where both sides changed a field.
    ///
    /// Editing the record first makes a third version of it: choose ``ConflictChoice/local`` then.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - choice: The version that stays; the other one is kept in the ledger.
    /// - Throws: ``SyncError`` `.noQuestion` when none waits, `.outcomeUnknown`; or `StoreError`.
    public func resolve(
        _ record: RecordReference,
        choosing choice: ConflictChoice
    ) async throws {
        let commands = try commands
        try await store.writeUnrecorded {
            try commands.resolve(record, choosing: choice, in: &$0)
        }
        notify(.localWrite)
    }

    /// Brings back what a decision discarded, by an ordinary new edit.
    ///
    /// - Parameter entry: The id of the ledger's entry.
    /// - Throws: ``SyncError`` `.noSuchEntry`, or `.stale` when the record is not any more as the
    ///   decision left it; or `StoreError`. Nothing was changed.
    public func undo(_ entry: RecordID) async throws {
        let schema = store.schema
        try await store.write { try UndoCommand.undo(entry, schema, in: &$0) }
    }

    /// Confirms the removals that sync has stopped at.
    ///
    /// - Parameter removals: Those that ``SyncStatus/pause`` named; with others nothing is done.
    /// - Throws: ``SyncError`` `.notRunning`; or `StoreError`.
    public func accept(_ removals: MassDelete) async throws {
        let set = removals.set
        try await call { try await $0.accept(removals: set) }
    }

    /// Makes the store one of another dataset, after somebody has looked why another one answers:
    /// all that is here is sent there as new.
    ///
    /// - Parameter dataset: The one that ``SyncStatus/pause`` named; with another one nothing is
    ///   done.
    /// - Throws: ``SyncError`` `.notRunning`; or `StoreError`.
    public func accept(_ dataset: DatasetID) async throws {
        try await call { try await $0.accept(dataset: dataset) }
    }

    private var commands: AttentionCommands {
        get throws {
            AttentionCommands(
                settling: Settling(
                    tables: try SyncedTables(store),
                    configuration: configuration,
                    environment: core.environment
                )
            )
        }
    }
}
