public import HoldfastStorage
import Synchronization

extension Store {
    /// How often the store was resumed: each time another process may have written it.
    package var resumptions: Int { resumed.load(ordering: .acquiring) }

    /// What opening the directory found and did; `nil` for a store that was not opened for writing
    /// from one.
    public var recoveryReport: RecoveryReport? {
        (storage as? JournalStorage)?.recoveryReport
    }

    /// Makes every commit durable and lets the store's lock go, until ``resume()``.
    ///
    /// Call it when the system is about to suspend the app: iOS ends a suspended process that holds
    /// a file lock in a shared container. Reads and observation go on; a write throws
    /// `.suspended`. Another process may write the store meanwhile.
    ///
    /// - Throws: ``StoreError`` `.closed`; or what kept the last commits from becoming durable: the
    ///   lock is let go all the same. A store without a directory has no lock, and nothing happens.
    @concurrent
    public func suspend() async throws {
        do {
            try await (storage as? JournalStorage)?.suspend()
        } catch {
            throw StoreError.translating(error)
        }
    }

    /// Takes the lock again after ``suspend()``, with what another process has written meanwhile.
    ///
    /// - Throws: ``StoreError`` `.locked` while another process writes the store, `.closed`,
    ///   `.schemaTooNew` when a newer program has migrated it meanwhile, or what opening it may
    ///   throw. The store stays suspended, and what it has read stays readable.
    @concurrent
    public func resume() async throws {
        do {
            guard let storage = storage as? JournalStorage else { return }
            try await storage.resume { try schema?.requireNotNewer(than: $0) }
        } catch {
            throw StoreError.translating(error)
        }
        resumed.wrappingAdd(1, ordering: .releasing)
        try refreshServed()
        if usesIndexes, try !hasDeclaredIndexes { try await buildIndexes() }
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
