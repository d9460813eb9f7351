import HoldfastStorage

extension Store {
    /// Opens the store in a directory, after any crash with every commit that was durable.
    ///
    /// One process at a time may write a store; any number may read it meanwhile.
    ///
    /// - Parameters:
    ///   - path: The store's directory.
    ///   - options: What to do with it; by default read and write, and make it when it is missing.
    /// - Returns: The store, to be closed when it is no longer needed.
    /// - Throws: ``StoreError`` `.notFound`, `.notAStore`, `.locked`, `.corruption`,
    ///   `.unsupportedVersion`, `.protectedDataUnavailable`, `.diskFull`, `.inputOutput`; the files
    ///   are as they were, but for a store that was being made.
    /// - Complexity: O(bytes of journal), and O(records) for each index that is built.
    @concurrent
    public static func open(
        at path: String,
        options: StoreOptions = StoreOptions()
    ) async throws -> Store {
        var configuration = options.journal
        configuration.createsIfMissing = options.access == .create
        do {
            let storage: any Storage =
                if options.access == .read {
                    try await JournalFollower.open(at: path, configuration: configuration)
                } else {
                    try await JournalStorage.open(at: path, configuration: configuration)
                }
            return try await open(storage, options)
        } catch {
            throw StoreError.translating(error)
        }
    }

    private static func open(
        _ storage: any Storage,
        _ options: StoreOptions
    ) async throws -> Store {
        do {
            return try await Store(
                storage: storage,
                durability: options.durability,
                usesIndexes: options.usesIndexes,
                ids: options.ids
            )
        } catch {
            try? await storage.close()
            throw error
        }
    }
}
