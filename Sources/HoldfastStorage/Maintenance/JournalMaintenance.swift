/// What can be done with a journal store that is open, for writing or for reading, beside reading
/// and writing it.
///
/// All of it goes on beside commits, which never wait for it.
public protocol JournalMaintenance: Storage {
    /// The store's identity, which its backups share.
    var store: StoreID { get }

    /// Which replica of the store this is.
    var replica: StoreID { get }

    /// Copies the store as readers see it now into a new directory.
    ///
    /// It waits for no writer and makes none wait. The copy holds every commit up to one, none in
    /// part and none behind it, and is durable when this returns. It is made under another name, so
    /// that half of one is never taken for a store.
    ///
    /// It is the same store, and a new replica of it from the first time that it is opened for
    /// writing; opening it for reading changes nothing. To restore it, open it where it is, or back
    /// it up to where it should be.
    ///
    /// - Parameters:
    ///   - path: Where the copy is made. Nothing may be there, and its parent has to exist.
    ///   - links: Whether segments that are never written again become hard links, where the file
    ///     system has them: that takes no time and no space, and they share their blocks with this
    ///     store. Without it, and on another device, they are copied.
    ///   - progress: Told the bytes that are done.
    /// - Returns: What the copy holds.
    /// - Throws: ``StorageError`` `.alreadyExists`, `.notFound` without a parent, `.corruption`
    ///   where what has to be copied is damaged, `.diskFull`, `.closed`; `CancellationError`; or
    ///   what `progress` throws. Nothing is there then that was not there before.
    /// - Complexity: O(bytes that are copied), in little memory.
    @concurrent
    @discardableResult
    func backup(
        to path: String,
        linking links: Bool,
        progress: @escaping MaintenanceProgress.Handler
    ) async throws -> BackupReport

    /// Checks the files and what is in memory against each other: every frame and entry of the
    /// journal, every page of the checkpoint, every record through its tree, every entry of an index
    /// against its record, every count against a recount, and, unless commits are made meanwhile,
    /// the records against what the journal alone gives.
    ///
    /// It checks the state that readers see when it begins, and changes nothing.
    ///
    /// - Parameter progress: Told the bytes that were read.
    /// - Returns: What was found; damage is no error here.
    /// - Throws: ``StorageError`` when the store cannot be checked; `CancellationError`; or what
    ///   `progress` throws, to stop early.
    /// - Complexity: O(bytes of journal and of indexes), in the memory that an index of the keys
    ///   takes.
    @concurrent
    func verify(progress: @escaping MaintenanceProgress.Handler) async throws -> VerificationReport

    /// The store's figures now.
    ///
    /// - Throws: ``StorageError`` `.closed`, or when the directory cannot be read.
    /// - Complexity: O(files).
    func statistics() throws(StorageError) -> StorageStatistics
}

extension JournalMaintenance {
    /// Copies the store as readers see it now into a new directory, with hard links where they
    /// serve; see ``backup(to:linking:progress:)``.
    @concurrent
    @discardableResult
    public func backup(to path: String) async throws -> BackupReport {
        try await backup(to: path, linking: true) { _ in }
    }

    /// Checks everything; see ``verify(progress:)``.
    @concurrent
    public func verify() async throws -> VerificationReport {
        try await verify { _ in }
    }
}

extension JournalStorage: JournalMaintenance {
    /// Copies the store; see ``JournalMaintenance/backup(to:linking:progress:)``.
    @concurrent
    @discardableResult
    public func backup(
        to path: String,
        linking links: Bool,
        progress: @escaping MaintenanceProgress.Handler
    ) async throws -> BackupReport {
        try await JournalBackup.make(
            at: path,
            configuration,
            linking: links,
            progress: progress
        ) { _ throws(StorageError) in
            try backupSource()
        }
    }

    /// Checks everything; see ``JournalMaintenance/verify(progress:)``.
    @concurrent
    public func verify(
        progress: @escaping MaintenanceProgress.Handler
    ) async throws -> VerificationReport {
        try await backupSource().verify(files, configuration, progress)
    }
}

extension JournalFollower: JournalMaintenance {
    /// Copies the store, while another process may write it; see
    /// ``JournalMaintenance/backup(to:linking:progress:)``.
    @concurrent
    @discardableResult
    public func backup(
        to path: String,
        linking links: Bool,
        progress: @escaping MaintenanceProgress.Handler
    ) async throws -> BackupReport {
        try await JournalBackup.make(
            at: path,
            configuration,
            linking: links,
            progress: progress
        ) { attempt throws(StorageError) in
            if attempt == 1 { return try backupSource() }
            // What this one has read may be gone: one that begins anew knows what took its place.
            return try await JournalFollower.open(
                at: files.directory.path,
                configuration: configuration
            ).backupSource()
        }
    }

    /// Checks everything, while another process may write it; see
    /// ``JournalMaintenance/verify(progress:)``.
    @concurrent
    public func verify(
        progress: @escaping MaintenanceProgress.Handler
    ) async throws -> VerificationReport {
        try await backupSource().verify(files, configuration, progress)
    }
}

extension BackupSource {
    /// Checks the files, and the state that this is.
    fileprivate func verify(
        _ files: SegmentFiles,
        _ configuration: JournalConfiguration,
        _ progress: @escaping MaintenanceProgress.Handler
    ) async throws -> VerificationReport {
        let live = try root.recordBytes()
        var state = MaintenanceProgress()
        var report = try JournalVerifier.verify(
            at: directory.path,
            configuration: configuration
        ) { journal in
            state = journal
            state.total = journal.total.map { $0 + live }
            try progress(state)
        }
        var content = ContentVerification(root, files) { bytes in
            state.completed += bytes
            try progress(state)
        }
        try content.run()
        report.findings += content.findings
        report.records = content.records
        report.indexEntries = content.indexEntries
        if let recount = try await JournalRecount.run(self, configuration) {
            report.isRecounted = true
            report.findings += try recount.findings(root)
        }
        return report
    }
}

extension StorageRoot {
    /// The bytes of journal that the records' current entries take.
    func recordBytes() throws(StorageError) -> UInt64 {
        if let usage { return usage.liveBytes }
        var live: UInt64 = 0
        try records.forEach(in: .all) { _, payload in
            live += UInt64(EntryLocation(payload).length)
            return true
        }
        return live
    }
}
