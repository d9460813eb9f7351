public import HoldfastStorage

extension Store {
    /// The last commit that readers see.
    public var sequenceNumber: SequenceNumber {
        get throws { try read { $0.sequenceNumber } }
    }

    /// The transactions after a number, in order, up to what readers see now.
    ///
    /// - Parameters:
    ///   - number: The last number that the caller has seen.
    ///   - limit: The greatest number of transactions to return.
    /// - Returns: The transactions, at most `limit`; empty when there is none after `number`.
    /// - Throws: ``StoreError`` `.changesCompacted` when the journal no longer holds them: start
    ///   again from a read and its `sequenceNumber`.
    public func commits(after number: SequenceNumber, limit: Int = 256) throws -> [StoreCommit] {
        try StoreError.translate {
            try storage.changes(after: number, limit: limit).map { try StoreCommit($0) }
        }
    }

    /// Waits until readers see a commit after `number`.
    ///
    /// - Returns: The number of the last commit that readers see.
    /// - Throws: `CancellationError`, or ``StoreError`` `.closed`.
    public func waitForCommit(after number: SequenceNumber) async throws -> SequenceNumber {
        do {
            return try await storage.waitForCommit(after: number)
        } catch {
            throw StoreError.translating(error)
        }
    }

    /// Every change after a number, for as long as the store is open: none is lost, none is
    /// buffered, and a slow reader makes no writer wait.
    ///
    /// - Parameter number: The last number that the caller has seen.
    /// - Returns: The commits; iterating reads them.
    public func changes(after number: SequenceNumber) -> StoreChanges {
        StoreChanges(store: self, after: number)
    }
}
