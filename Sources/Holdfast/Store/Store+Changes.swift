public import HoldfastStorage

extension Store {
    /// The last commit that readers see.
    public var sequenceNumber: SequenceNumber {
        get throws { try read { $0.sequenceNumber } }
    }

    /// The transactions after a number, in order, up to what readers see now.
    ///
    /// It reads them from the disk at once, in the caller's thread, and all of them are in memory
    /// together: a smaller limit suits large transactions.
    ///
    /// - Parameters:
    ///   - number: The last number that the caller has seen.
    ///   - limit: The greatest number of transactions to return.
    /// - Returns: The transactions, at most `limit`; empty when there is none after `number`.
    /// - Throws: ``StoreError`` `.changesCompacted` when the journal no longer holds them: start
    ///   again from a read and its `sequenceNumber`.
    public func commits(after number: SequenceNumber, limit: Int = 256) throws -> [StoreCommit] {
        try storedCommits(after: number, limit: limit).map { try StoreCommit($0) }
    }

    /// The transactions after a number as they are stored.
    func storedCommits(after number: SequenceNumber, limit: Int) throws -> [Commit] {
        try StoreError.translate { try storage.changes(after: number, limit: limit) }
    }

    /// Waits until readers see a commit after `number`, never on the caller's actor.
    ///
    /// - Returns: The number of the last commit that readers see.
    /// - Throws: `CancellationError`, or ``StoreError`` `.closed`.
    @concurrent
    public func waitForCommit(after number: SequenceNumber) async throws -> SequenceNumber {
        do {
            return try await storage.waitForCommit(after: number)
        } catch {
            throw StoreError.translating(error)
        }
    }

    /// Every change after a number, for as long as the store is open: none is lost, and a slow
    /// reader makes no writer wait.
    ///
    /// A few commits at a time are read ahead; see ``StoreChanges``.
    ///
    /// - Parameter number: The last number that the caller has seen.
    /// - Returns: The commits; iterating reads them.
    public func changes(after number: SequenceNumber) -> StoreChanges {
        StoreChanges(store: self, after: number)
    }
}
