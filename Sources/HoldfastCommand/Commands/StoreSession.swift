import Holdfast

/// Opens a store for the time of one command.
enum StoreSession {
    /// Runs `body` with the store at a path and closes it, whatever happens.
    ///
    /// - Parameters:
    ///   - path: The store's directory.
    ///   - access: What `body` does with it.
    ///   - usesIndexes: Whether it queries; building indexes for one record would take long.
    ///   - body: The work.
    /// - Returns: What `body` returns.
    /// - Throws: What opening throws, else what `body` throws, else what closing throws.
    static func run<Result>(
        at path: String,
        _ access: StoreOptions.Access,
        usesIndexes: Bool = false,
        _ body: (Store) async throws -> Result
    ) async throws -> Result {
        let options = StoreOptions(access: access, usesIndexes: usesIndexes)
        let store = try await Store.open(at: path, options: options)
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
