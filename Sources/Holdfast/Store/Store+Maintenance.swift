public import HoldfastStorage

extension Store {
    /// Which store this is: its backups are the same one; `nil` for a store in memory.
    public var storeID: StoreID? { (storage as? any JournalMaintenance)?.store }

    /// Which replica of the store this is; `nil` for a store in memory.
    ///
    /// A backup is a replica of its own from the first time that it is opened for writing.
    public var replicaID: StoreID? { (storage as? any JournalMaintenance)?.replica }

    /// Copies the store as it is now into a new directory, while commits go on.
    ///
    /// The copy holds every commit up to one, and nothing of a later one. When this returns it is
    /// durable; until then it stands under another name, so that half a backup is never taken for a
    /// store. It works on a store that is open for reading too, while another process writes it.
    ///
    /// To restore a backup, open it where it is, or open it for reading and back it up to where it
    /// should be. Nothing is ever restored over a store that is there.
    ///
    /// - Parameters:
    ///   - path: Where the copy is made. Nothing may be there, and its parent has to exist.
    ///   - links: Whether files that are never written again become hard links where the file
    ///     system has them. That takes no time and no space; what damages such a file on the disk
    ///     damages both. Pass `false` for a copy that shares nothing.
    ///   - progress: Told the bytes that are done; what it throws ends the backup.
    /// - Returns: What the copy holds.
    /// - Throws: ``StoreError`` `.alreadyExists`, `.notFound` without a parent, `.corruption` where
    ///   what has to be copied is damaged, `.diskFull`, `.inMemory`, `.closed`;
    ///   `CancellationError`; or what `progress` throws. Nothing is there then that was not there
    ///   before.
    /// - Complexity: O(bytes that are copied), in little memory.
    @concurrent
    @discardableResult
    public func backup(
        to path: String,
        linking links: Bool = true,
        progress: @escaping MaintenanceProgress.Handler = { _ in }
    ) async throws -> BackupReport {
        do {
            return try await journal.backup(to: path, linking: links, progress: progress)
        } catch {
            throw StoreError.translating(error)
        }
    }

    /// The engine, where it has files.
    var journal: any JournalMaintenance {
        get throws {
            if let journal = storage as? any JournalMaintenance { return journal }
            throw StoreError(.inMemory, "The store is in memory alone: it has no files.")
        }
    }
}
