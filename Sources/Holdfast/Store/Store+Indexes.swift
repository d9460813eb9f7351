import HoldfastStorage

extension Store {
    /// Declares an index of a table, builds it, and keeps its definition in the store, so that
    /// every later open builds it too.
    ///
    /// Reads go on while it is built, and writes wait until it is there; queries use the index once
    /// this has returned. A task that is cancelled before the declaration is committed throws
    /// `CancellationError` with nothing declared; after that the index is built all the same. A
    /// store that uses no indexes only declares it.
    ///
    /// - Returns: Whether it is new.
    /// - Throws: `CancellationError`, or ``StoreError``, such as `.uniqueConflict` when two records
    ///   have the same values already; with an error the index is declared and built at the next
    ///   open, or not declared at all.
    /// - Complexity: O(n log n) for n records in the table.
    @concurrent
    @discardableResult
    public func createIndex(_ index: Index, on table: TableName) async throws -> Bool {
        let definition = TableIndex(index, on: table)
        let isNew = try await write { try $0.declare(definition) }
        try await buildIndexes()
        return isNew
    }

    /// Drops an index and its definition.
    ///
    /// It waits and is cancelled as ``createIndex(_:on:)`` is.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: `CancellationError`, or ``StoreError``; the index is dropped at the next open, or
    ///   still declared.
    @concurrent
    @discardableResult
    public func dropIndex(_ index: Index, on table: TableName) async throws -> Bool {
        let definition = TableIndex(index, on: table)
        let existed = try await write { try $0.drop(definition) }
        try await buildIndexes()
        return existed
    }

    /// The indexes of a table, as they are declared, in the byte order of their fields' names.
    public func indexes(of table: TableName) throws -> [Index] {
        try read { try $0.state.declaredIndexes(of: table) }
    }

    /// Whether the engine's indexes are those that are declared.
    var hasDeclaredIndexes: Bool {
        get throws {
            try read { transaction in
                let declared = try transaction.state.declaredIndexes().map(\.engineName)
                return transaction.state.storage.indexNames.sorted() == declared.sorted()
            }
        }
    }

    /// Makes the engine's indexes those that are declared, if the store uses any.
    ///
    /// Another declaration may commit while one is built: the last one to look again ends it.
    @concurrent
    func buildIndexes() async throws {
        guard usesIndexes else { return }
        var built: [TableIndex]?
        do {
            while true {
                let declared = try read { try $0.state.declaredIndexes() }
                if declared == built { return }
                try await storage.setIndexes(declared.map(\.engineDefinition))
                built = declared
            }
        } catch {
            throw StoreError.translating(error)
        }
    }
}
