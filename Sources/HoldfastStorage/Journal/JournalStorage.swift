import Synchronization

/// A ``Storage`` in a directory: an append-only journal under an index in memory.
///
/// A commit at ``Durability/synced`` survives power loss once `write` has returned; after any crash
/// `open` succeeds with a contiguous prefix of history that holds every such commit, or throws a
/// named error that says what is damaged. FORMAT.md has the bytes and the reasons.
///
/// One process at a time has a store open for writing; others read it with ``JournalFollower``.
public final class JournalStorage: Storage {
    /// What opening the store found and did.
    public let recoveryReport: RecoveryReport
    /// The store's identity, which its backups share.
    public var store: StoreID { identity.store }
    /// Which replica of the store this is: no other that is written has the same.
    ///
    /// A backup gets its own when it is first opened for writing.
    public var replica: StoreID { identity.replica }

    let identity: StoreIdentity

    let configuration: JournalConfiguration
    let directory: StoreDirectory
    let files: SegmentFiles
    let writer: JournalWriter
    let preparer: SegmentPreparer
    let gate = WriterGate()
    let queue: Mutex<CommitQueue>
    let signal: CommitSignal
    let upkeep = Mutex(Upkeep())
    /// The commits that a full disk kept from being written again.
    let deferred: Mutex<TailRewrite?>
    let changeReader: ChangeReader
    let scrubber: JournalScrubber
    let checkpoints: Mutex<CheckpointUpkeep>
    /// Lets one checkpoint be written at a time; who holds it never waits for ``gate``.
    let checkpointGate = WriterGate()
    /// Whether a page was found damaged, and the state was not made anew yet.
    let isRebuildDue = Mutex(false)
    /// The indexes of the checkpoint, until they are declared.
    let dormant: Mutex<DormantIndexes?>
    /// The store's lock; `nil` while it is suspended.
    let lock: Mutex<StoreLock?>
    let pins: SegmentPins
    let compaction: Compaction
    let reserve: SpaceReserve

    /// Opens the store in a directory, or makes it.
    ///
    /// - Parameters:
    ///   - path: The store's directory; its parent has to exist.
    ///   - configuration: The environment and the sizes.
    /// - Returns: The open store; ``recoveryReport`` says what was recovered.
    /// - Throws: ``StorageError``: `.notFound`, `.notAStore`, `.unsupportedVersion`, `.corruption`,
    ///   `.locked`, `.protectedDataUnavailable`, `.diskFull` or `.inputOutput`. The files are as
    ///   they were, but for a store that was being made.
    /// - Complexity: O(bytes of journal since the last checkpoint).
    @concurrent
    public static func open(
        at path: String,
        configuration: JournalConfiguration = JournalConfiguration()
    ) async throws(StorageError) -> JournalStorage {
        try await become(JournalOpening(at: path, configuration))
    }

    /// Opens the store in a directory, or makes it, unless `check` refuses what the journal holds.
    ///
    /// - Throws: What `check` throws: nothing in an existing store was changed, not even the note
    ///   of who holds the lock. Else as ``open(at:configuration:)``.
    @concurrent
    package static func open(
        at path: String,
        configuration: JournalConfiguration,
        checking check: (any StorageSnapshot) throws -> Void
    ) async throws -> JournalStorage {
        try await self.check(check, withoutLockAt: path, configuration)
        let opening = try await JournalOpening(at: path, configuration)
        try check(TreeSnapshot(opening.root, reading: opening.files))
        return try become(opening)
    }

    /// Looks into a store that has no lock file, such as a copy, before opening it makes one.
    private static func check(
        _ check: (any StorageSnapshot) throws -> Void,
        withoutLockAt path: String,
        _ configuration: JournalConfiguration
    ) async throws {
        let directory = StoreDirectory(path: path, fileSystem: configuration.fileSystem)
        guard let listing = try? directory.list(), listing.hasIdentity, !listing.hasLock,
            let follower = try? await JournalFollower.open(at: path, configuration: configuration)
        else { return }
        try check(follower.snapshot())
    }

    private static func become(
        _ opening: JournalOpening
    ) throws(StorageError) -> JournalStorage {
        var opening = opening
        let ready = try opening.makeReady()
        let storage = JournalStorage(opening, ready)
        storage.prepareNextSegment()
        storage.claimReserve()
        storage.markIfNeeded()
        storage.noteGrowth(Int(clamping: storage.recoveryReport.bytes))
        storage.watch(opening.checkpoint?.pages)
        storage.startCompaction()
        return storage
    }

    private init(_ opening: borrowing JournalOpening, _ ready: JournalOpening.Ready) {
        recoveryReport = opening.report
        identity = opening.identity
        configuration = opening.configuration
        directory = opening.directory
        files = opening.files
        lock = Mutex(opening.lock)
        preparer = SegmentPreparer(
            directory: directory,
            configuration: configuration,
            begun: ready.tail.header.number,
            ready: ready.prepared
        )
        writer = JournalWriter(
            directory: directory,
            preparer: preparer,
            hasWitness: ready.hasWitness
        )
        reserve = SpaceReserve(directory, byteCount: configuration.reserveBytes)
        pins = SegmentPins()
        compaction = Compaction(leftovers: opening.leftovers)
        queue = Mutex(
            CommitQueue(
                root: opening.root,
                tail: ready.tail,
                durable: ready.durable,
                recorded: ready.recorded,
                pin: pins.pin(active: ready.tail.header.number, retirement: 0)
            )
        )
        deferred = Mutex(ready.deferred)
        changeReader = ChangeReader(files: files, map: ready.map)
        scrubber = JournalScrubber(files, changeReader, configuration)
        signal = CommitSignal(at: opening.root.sequenceNumber)
        checkpoints = Mutex(CheckpointUpkeep(opening.checkpoint))
        dormant = Mutex(opening.checkpoint?.indexes)
    }

    /// The state that readers see.
    public func snapshot() throws(StorageError) -> any StorageSnapshot {
        let (root, pin) = try queue.withLock { queue throws(StorageError) in
            if queue.isClosed { throw .closed }
            return (queue.published, queue.pin)
        }
        return TreeSnapshot(root, reading: files, pin: pin)
    }

    /// Lets the lock go, once nothing more will be written.
    func unlock() {
        lock.withLock { lock in
            lock?.release()
            lock = nil
        }
    }
}
