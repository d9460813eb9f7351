import Holdfast

/// Opens a store for the time of one command.
enum StoreSession {
    /// Runs `body` with the store at a path and closes it, whatever happens.
    ///
    /// - Throws: What opening throws, else what `body` throws, else what closing throws.
    static func run<Result>(
        at path: String,
        _ access: StoreOptions.Access,
        _ body: (Store) async throws -> Result
    ) async throws -> Result {
        let store = try await Store.open(at: path, options: StoreOptions(access: access))
        let result: Result
        do {
            result = try await body(store)
        } catch {
            try? await store.close()
            throw error
        }
        try await store.close()
        return result
    }
}
