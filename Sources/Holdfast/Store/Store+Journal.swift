public import HoldfastStorage

extension Store {
    /// What opening the directory found and did; `nil` for a store that was not opened for writing
    /// from one.
    public var recoveryReport: RecoveryReport? {
        (storage as? JournalStorage)?.recoveryReport
    }

    /// Catches up with the process that writes the store, where this one only reads it.
    ///
    /// Waiting for a commit does so too; a store that is open for writing is always at its newest
    /// state.
    ///
    /// - Returns: The last commit that readers see.
    /// - Throws: ``StoreError``; the state that was seen stays. `.schemaTooNew` when a newer
    ///   program has migrated the store meanwhile: what is read from then on is its data.
    @concurrent
    @discardableResult
    public func refresh() async throws -> SequenceNumber {
        do {
            if let follower = storage as? JournalFollower {
                try follower.refresh()
                try schema?.requireNotNewer(than: follower.snapshot())
            }
        } catch {
            throw StoreError.translating(error)
        }
        if usesIndexes, try !hasDeclaredIndexes { try await buildIndexes() }
        return try sequenceNumber
    }
}
