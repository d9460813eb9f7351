public import Holdfast

extension Store {
    /// Copies the records of synced tables from another store into this one, as writes of its own:
    /// what somebody made before signing in becomes the account's.
    ///
    /// A record whose id is here already stays as it is here. The other store is not changed; delete
    /// it when this has returned. When it is interrupted, call it again: it goes on where it was,
    /// and nothing that was edited or deleted here meanwhile is undone.
    ///
    /// ```swift
    /// let adopted = try await store.adopt(recordsOf: anonymous)
    /// ```
    ///
    /// - Parameter source: The other store, open, with the same tables.
    /// - Returns: How many records were copied by this call.
    /// - Throws: `StoreError`, or ``SyncError``; a part is copied.
    /// - Complexity: O(records of the other store), in small transactions.
    @concurrent
    @discardableResult
    public func adopt(recordsOf source: Store) async throws -> Int {
        let adoption = Adoption(source: source, target: self)
        return try await adoption.run()
    }
}
