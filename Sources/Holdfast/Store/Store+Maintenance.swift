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

    /// Checks everything: every frame and entry of the files, every record through the index that
    /// finds it, every document, every entry of an index against its record, every count.
    ///
    /// It checks the store as it is when this is called, changes nothing, and goes on beside
    /// commits. `JournalVerifier` checks the files of a store that cannot be opened.
    ///
    /// - Parameter progress: Told the bytes that were read; what it throws ends the check.
    /// - Returns: What was found; damage is no error here.
    /// - Throws: ``StoreError`` when the store cannot be checked, `.inMemory`, `.closed`;
    ///   `CancellationError`; or what `progress` throws.
    /// - Complexity: O(bytes of the store).
    @concurrent
    public func verify(
        progress: @escaping MaintenanceProgress.Handler = { _ in }
    ) async throws -> VerificationReport {
        do {
            var report = try await journal.verify(progress: progress)
            // A scan ends at a record that cannot be read, and that was reported.
            if !report.findings.contains(where: { $0.kind == .record }) {
                try checkDocuments(&report)
            }
            return report
        } catch {
            throw StoreError.translating(error)
        }
    }

    /// Decodes every record.
    private func checkDocuments(_ report: inout VerificationReport) throws {
        var (records, damaged, visited) = (0, 0, 0)
        try storage.snapshot().scanUnordered(.all) { key, value in
            visited += 1
            if visited & 0x3ff == 0 { try Task.checkCancellation() }
            if RecordKey.isRecord(key) { records += 1 }
            if SystemSpace.holds(key) { return true }
            if (try? Document.decode(value)) == nil { damaged += 1 }
            return true
        }
        report.records = records
        if damaged > 0 { report.findings.append(.undecodable(damaged)) }
    }

    /// The store's figures now; `nil` for a store in memory.
    ///
    /// - Throws: ``StoreError`` `.closed`, or when the directory cannot be read.
    /// - Complexity: O(files).
    public func statistics() throws -> StorageStatistics? {
        try StoreError.translate { try (storage as? any JournalMaintenance)?.statistics() }
    }

    /// Gives back the space of everything that no reader can reach any more, at once and to the end.
    ///
    /// The engine does so by itself, as far as is worthwhile. Reads and writes go on meanwhile.
    ///
    /// - Throws: ``StoreError`` `.readOnly` for a store that is open for reading, `.inMemory`,
    ///   `.diskFull`, `.closed`; no record is affected.
    /// - Complexity: O(bytes of the files that hold something dead).
    @concurrent
    public func compact() async throws {
        do {
            if let storage = try journal as? JournalStorage { return try await storage.compact() }
            throw StoreError(.readOnly, "The store is open for reading only; open it for writing.")
        } catch {
            throw StoreError.translating(error)
        }
    }

    /// Begins to read again, slowly and in the background, what is never written again, to find
    /// damage while a backup still has what it took.
    ///
    /// It goes on until ``stopScrub()`` or the store is closed, and keeps nothing from being read or
    /// written. Whether it should rest on battery, or while the app is in use, the app decides. A
    /// store that is not open for writing from a directory does nothing.
    ///
    /// - Parameters:
    ///   - bytesPerSecond: How much is read in a second; by default 256 KiB.
    ///   - pause: The time between two rounds through the store; by default a day.
    ///   - found: Called for each damaged place, once, on the cooperative pool;
    ///     `statistics()?.scrub` keeps what was found.
    public func startScrub(
        bytesPerSecond: UInt64 = 256 << 10,
        pause: Duration = .seconds(86_400),
        found: @escaping @Sendable (Finding) -> Void = { _ in }
    ) {
        (storage as? JournalStorage)?
            .startScrub(bytesPerSecond: bytesPerSecond, pause: pause, found: found)
    }

    /// Ends the background scrub; what it found is kept.
    public func stopScrub() { (storage as? JournalStorage)?.stopScrub() }

    /// The engine, where it has files.
    var journal: any JournalMaintenance {
        get throws {
            if let journal = storage as? any JournalMaintenance { return journal }
            throw StoreError(.inMemory, "The store is in memory alone: it has no files.")
        }
    }
}

extension Finding {
    fileprivate static func undecodable(_ count: Int) -> Finding {
        Finding(
            file: noFile,
            offset: 0,
            kind: .record,
            detail: count == 1
                ? "A record is no document that can be read."
                : "\(count) records are no documents that can be read."
        )
    }
}
