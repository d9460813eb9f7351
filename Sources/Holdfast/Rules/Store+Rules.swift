import HoldfastStorage

extension Store {
    /// Builds the unique indexes of a table in a store that uses no indexes: many writes into it
    /// would visit the table once each.
    package func buildUniqueIndexes(of table: TableName) async throws {
        if usesIndexes { return }
        let unique = try read { try $0.state.declaredIndexes(.unique) }.filter { $0.table == table }
        if unique.isEmpty { return }
        do {
            try await storage.setIndexes(unique.map(\.engineDefinition))
        } catch {
            throw StoreError.translating(error)
        }
    }
}
