package import HoldfastStorage

extension Store {
    /// Runs one transaction as ``write(_:atomicOnServer:_:)`` does, of which nothing is recorded
    /// for a server: what comes from there, and what a server itself writes.
    ///
    /// - Parameters:
    ///   - durability: What the commit has to survive; the store's own level when it is `nil`.
    ///   - body: The transaction, which cannot leave the closure.
    /// - Returns: What `body` returns.
    /// - Throws: As ``write(_:atomicOnServer:_:)``.
    @concurrent
    @discardableResult
    package func writeUnrecorded<Result>(
        _ durability: Durability? = nil,
        _ body: sending (inout WriteTransaction) throws -> sending Result
    ) async throws -> sending Result {
        do {
            let (ids, catalog) = (ids, catalog)
            return try await storage.write(durability ?? self.durability) { raw in
                var transaction = WriteTransaction(storage: raw, ids: ids, catalog: catalog)
                return try transaction.run(body)
            }.result
        } catch {
            throw StoreError.translating(error)
        }
    }
}
