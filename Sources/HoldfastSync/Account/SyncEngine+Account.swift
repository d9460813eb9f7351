import Holdfast

/// Signing in and out. Each account has a store of its own.
extension SyncEngine {
    /// Signs the account out: the engine ends, and nothing of the store is sent or received until
    /// ``signIn()``.
    ///
    /// What was not sent stays in the store, and is sent after that.
    ///
    /// - Returns: How many changes were not sent, or not acknowledged.
    /// - Throws: `StoreError`; the engine is stopped all the same.
    @discardableResult
    public func signOut() async throws -> Int {
        await stop()
        try await core.seal(true)
        return try store.read { try $0.pendingCount() }
    }

    /// Signs the account in again after ``signOut()``; ``start()`` begins to sync.
    ///
    /// - Throws: ``SyncError`` `.otherAccount` when the store belongs to another one; or
    ///   `StoreError`.
    public func signIn() async throws {
        try core.requireAccount()
        try await core.seal(false)
    }

    /// Removes everything of the account from the store, and leaves local tables as they are.
    ///
    /// All records of synced tables go, all that came from the server, and every change that was
    /// not sent. The engine ends. Nothing of this is sent: the server keeps its records. A wipe that was
    /// interrupted leaves the store signed out; wipe it again. The bytes are given back by
    /// ``/Holdfast/Store/compact()``.
    ///
    /// - Throws: `StoreError`; the store is signed out, and some records are left.
    /// - Complexity: O(records), in small transactions.
    public func wipe() async throws {
        await stop()
        try await core.seal(true)
        try await Wipe(store: store).run()
    }
}
