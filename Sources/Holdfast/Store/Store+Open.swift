import HoldfastStorage

extension Store {
    /// Opens the store in a directory, after any crash with every commit that was durable.
    ///
    /// One process at a time may write a store; any number may read it meanwhile.
    ///
    /// With a schema, the steps that the store's data lacks are run, each in one transaction, and
    /// its tables get the indexes and references that the schema declares; see ``Schema``. A store
    /// that is opened for reading gets nothing: it is refused when a step has not run, and is read
    /// with the declarations that it has otherwise.
    ///
    /// - Parameters:
    ///   - path: The store's directory.
    ///   - schema: What the app declares; without one the store has what is stored.
    ///   - options: What to do with it; by default read and write, and make it when it is missing.
    /// - Returns: The store, to be closed when it is no longer needed.
    /// - Throws: ``StoreError`` `.notFound`, `.notAStore`, `.locked`, `.corruption`,
    ///   `.unsupportedVersion`, `.protectedDataUnavailable`, `.diskFull`, `.inputOutput`; the files
    ///   are as they were, but for a store that was being made. With a schema `.schemaTooNew` and
    ///   `.schemaTooOld`, which leave every file as it was, to the byte; `.migrationFailed`, with
    ///   the store as it was before that step; `.uniqueConflict`, `.missingReference` and
    ///   `.idFieldMismatch` where records do not fit what is declared anew, and nothing is
    ///   declared.
    /// - Complexity: O(bytes of journal since the last checkpoint), and O(records) for each index that
    ///   is built.
    @concurrent
    public static func open(
        at path: String,
        schema: Schema? = nil,
        options: StoreOptions = StoreOptions()
    ) async throws -> Store {
        var configuration = options.journal
        configuration.createsIfMissing = options.access == .create
        do {
            return try await open(at: path, schema, options, configuration)
        } catch let error as StoreError where error.code == .checkpointDamaged {
            // No data is lost: without the checkpoint everything is read from the journal.
            configuration.readsCheckpoint = false
            return try await open(at: path, schema, options, configuration)
        }
    }

    private static func open(
        at path: String,
        _ schema: Schema?,
        _ options: StoreOptions,
        _ configuration: JournalConfiguration
    ) async throws -> Store {
        do {
            let storage: any Storage =
                if options.access == .read {
                    try await JournalFollower.open(at: path, configuration: configuration)
                } else {
                    try await JournalStorage.open(at: path, configuration: configuration) {
                        try schema?.requireNotNewer(than: $0)
                    }
                }
            return try await open(storage, schema, options)
        } catch {
            throw StoreError.translating(error)
        }
    }

    private static func open(
        _ storage: any Storage,
        _ schema: Schema?,
        _ options: StoreOptions
    ) async throws -> Store {
        do {
            return try await Store(
                storage: storage,
                schema: schema,
                durability: options.durability,
                usesIndexes: options.usesIndexes,
                ids: options.ids,
                progress: options.progress
            )
        } catch {
            try? await storage.close()
            throw error
        }
    }
}
