import Holdfast

/// Opens a store for the time of one command.
enum StoreSession {
    /// Runs `body` with the store at a path and closes it, whatever happens.
    ///
    /// A failed close of a store that was written is only warned of: each commit was synced before
    /// `body` went on, and a script that is told of a failure would do it all again.
    ///
    /// - Parameters:
    ///   - path: The store's directory.
    ///   - access: What `body` does with it.
    ///   - usesIndexes: Whether it queries; building indexes for one record would take long.
    ///   - writesRecords: Whether it writes records, which may have to be queued for a server.
    ///   - body: The work.
    /// - Returns: What `body` returns.
    /// - Throws: What opening throws, else what `body` throws, else, where it only read, what
    ///   closing throws.
    static func run<Result>(
        at path: String,
        _ access: StoreOptions.Access,
        usesIndexes: Bool = false,
        writesRecords: Bool = false,
        _ body: (Store) async throws -> Result
    ) async throws -> Result {
        let store = try await open(path, StoreOptions(access: access, usesIndexes: usesIndexes))
        let result: Result
        do {
            if writesRecords { try LinkedStore.prepareForWriting(store) }
            result = try await body(store)
        } catch {
            try? await store.close()
            throw error
        }
        do {
            try await store.close()
        } catch  where access != .read {
            warn(error)
        }
        return result
    }

    /// Where a store may be made, one that is not found lacks its parent; the error says so, and
    /// that `hold put` makes a store would be no help.
    private static func open(_ path: String, _ options: StoreOptions) async throws -> Store {
        do {
            return try await Store.open(at: path, options: options)
        } catch let error as StoreError
            where options.access == .create && error.code == .notFound
        {
            throw Failure("\(error)")
        }
    }

    /// Names the cause alone: what the error says of uncommitted data is not true of these.
    private static func warn(_ error: any Error) {
        let cause = (error as? StoreError)?.cause ?? error
        let line = "\(cause)".split(whereSeparator: \.isNewline).joined(separator: " ")
        Console.writeToStandardError(
            "hold: warning: closing the store failed (\(line.withoutControls)); "
                + "the records are durable; the next open recovers\n"
        )
    }
}
