/// A store's directory opened for writing, step by step: found or made, locked, made durable, read,
/// and made ready for the next append.
struct JournalOpening {
    let directory: StoreDirectory
    let configuration: JournalConfiguration
    let files: SegmentFiles
    let lock: StoreLock
    let store: StoreID
    private(set) var identity: StoreIdentity
    var replay = JournalReplay()
    var root = StorageRoot()
    var report = RecoveryReport()
    /// The checkpoint that ``root`` was read from.
    private(set) var checkpoint: Checkpoint?
    /// Files of retired segments.
    private(set) var leftovers: [UInt32] = []

    /// Reads a store again that this process had open: it is there and locked.
    init(
        again files: SegmentFiles,
        _ lock: StoreLock,
        _ configuration: JournalConfiguration
    ) throws(StorageError) {
        self.configuration = configuration
        self.files = files
        self.lock = lock
        directory = files.directory
        identity = try directory.identity()
        store = identity.store
        let listing = try directory.listing()
        try directory.settle(listing)
        try read(listing)
    }

    init(at path: String, _ configuration: JournalConfiguration) async throws(StorageError) {
        self.configuration = configuration
        directory = StoreDirectory(path: path, fileSystem: configuration.fileSystem)
        files = SegmentFiles(directory, cacheBytes: configuration.valueCacheBytes)
        let isNew = try directory.findOrMake(createsIfMissing: configuration.createsIfMissing)
        // A newer store is refused before anything in it is touched, the lock file included.
        if !isNew { _ = try directory.identity() }
        lock = try await StoreLock.take(directory, configuration)
        // What stood there before the lock was taken may have been another opener's work.
        var listing = try directory.listing()
        if isNew, !listing.hasIdentity {
            try directory.create(configuration)
            listing = try directory.listing()
            report.isNew = true
        }
        identity = try directory.identity()
        store = identity.store
        try directory.settle(listing)
        try read(listing)
    }

    /// Reads the checkpoint and what the journal has behind it into ``root``, or all the journal.
    private mutating func read(_ listing: StoreDirectory.Listing) throws(StorageError) {
        var proven = SequenceNumber.zero
        switch try CheckpointFile(directory).read(of: store) {
        case .nothing: break
        case .checkpoint(let found) where !configuration.readsCheckpoint:
            report.ignoredCheckpoint = true
            proven = found.position.number
        case .damaged(let number):
            report.ignoredCheckpoint = true
            proven = number ?? .zero
        case .checkpoint(let found):
            do throws(StorageError) {
                try read(listing, from: found)
                checkpoint = found
                report.checkpoint = found.position.number
                return
            } catch  where error.code == .corruption || error.code == .checkpointDamaged {
                // If it is the journal that is damaged, reading all of it will say so.
                report.ignoredCheckpoint = true
                proven = found.position.number
            }
        }
        try read(listing, from: nil, proven: proven)
    }

    private mutating func read(
        _ listing: StoreDirectory.Listing,
        from checkpoint: Checkpoint?,
        proven: SequenceNumber = .zero
    ) throws(StorageError) {
        let retired = try retiredSegments(checkpoint)
        let witness = try directory.witness(listing, store: store)
        let layout = try SegmentLayout(
            listing.segments,
            retired: retired,
            closedIn: witness?.segment,
            store: store,
            files: files
        )
        leftovers = layout.leftovers
        guard layout.headers.allSatisfy({ $0.writerFeatures == 0 }) else {
            throw .unsupportedFeatures(path: directory.path)
        }
        try checkpoint?.requireFit(layout, files)
        var root = checkpoint?.root ?? StorageRoot(usage: JournalUsage())
        root.usage?.retire(retired.numbers)
        replay = try JournalReplay.run(
            layout,
            files: files,
            witness: witness,
            from: checkpoint?.position,
            proven: proven
        ) {
            segment,
            frame,
            payload throws(StorageError) in
            try root.apply(frame, payload, segment: segment, files: files)
        }
        replay.hasWitness = listing.hasClosed
        // What stands in the last segments may be moves alone.
        root.sequenceNumber = replay.end.number
        self.root = root
        report.wasClosed = replay.wasClosed
        report.last = replay.end.number
        report.proven = replay.proven
        report.hadTornTail = !replay.tailIsZero
        report.segments = replay.segments.count
        report.bytes = replay.readBytes
    }
}

extension JournalOpening {
    /// The segments that are gone; a checkpoint holds a second list of them.
    private func retiredSegments(_ checkpoint: Checkpoint?) throws(StorageError) -> RetiredSegments
    {
        do throws(StorageError) {
            return try directory.retiredSegments(store: store)
        } catch {
            guard error.code == .corruption, let retired = checkpoint?.retiredSegments else {
                throw error
            }
            return retired
        }
    }

    /// A store that can be written to.
    struct Ready {
        var tail: JournalTail
        /// The greatest number known to be durable, and the greatest that the journal says so of.
        var durable: SequenceNumber
        var recorded: SequenceNumber
        var map: JournalMap
        /// A file that stands ready for the next segment.
        var prepared: UInt32?
        var hasWitness: Bool
        /// What a full disk kept from being done.
        var deferred: TailRewrite?
    }

    /// Does what has to be done before the next append.
    ///
    /// - Throws: ``StorageError``; the journal holds what it held, where it was or in a new
    ///   segment. A full disk is no error here: the store serves reads, and tries again before each
    ///   write.
    mutating func makeReady() throws(StorageError) -> Ready {
        lock.announce(configuration.owner)
        // Before anything is written that two replicas of one name could say differently.
        if identity.isCopy { identity = try directory.becomeReplica(identity, configuration) }
        var ready = try continuing()
        let rewrite = TailRewrite(
            directory: directory,
            configuration: configuration,
            files: files,
            replay: replay
        )
        do throws(StorageError) {
            switch RecoveryPlan(replay) {
            case .continueInPlace:
                break
            case .confirmEnd:
                try ProvenEnd(directory: directory, files: files, replay: replay).confirm()
            case .startSegment(let count):
                ready.prepared = nil
                ready.tail = try rewrite.run()
                try rewrite.relocate(&root, to: ready.tail)
                ready.map.headers.append(ready.tail.header)
                ready.durable = ready.tail.number
                report.rewritten = count
            }
        } catch  where error.code == .diskFull {
            ready.prepared = nil
            ready.deferred = rewrite
            report.isIncomplete = true
        }
        try removeLeftovers()
        return ready
    }

    /// The journal as it ends.
    private func continuing() throws(StorageError) -> Ready {
        guard let last = replay.segments.last else {
            throw .corruption("The store has no segment left.", path: directory.path)
        }
        let file = try files.file(last.header.number)
        let size = try describing("Opening the store") { () throws(SystemCallError) in
            try file.size()
        }
        var prepared: UInt32?
        // After a crash it is made again: a name whose sync failed may look durable and not be.
        if case .blank(let number)? = replay.prepared, replay.wasClosed { prepared = number }
        return Ready(
            tail: JournalTail(
                header: last.header,
                offset: replay.end.offset,
                chain: replay.end.chain ?? last.header.chain(),
                number: replay.end.number,
                epoch: replay.end.epoch &+ 1,
                capacity: max(
                    size,
                    configuration.segmentBytes(live: root.usage?.liveBytes ?? 0)
                ),
                isSealed: replay.isSealed
            ),
            durable: replay.proven,
            recorded: replay.proven,
            map: replay.map,
            prepared: prepared,
            hasWitness: replay.hasWitness
        )
    }

    /// Removes what an interrupted step left under a temporary name.
    private func removeLeftovers() throws(StorageError) {
        try describing("Opening the store") { () throws(SystemCallError) in
            let leftovers = try directory.list().temporaries
            for name in leftovers { try directory.fileSystem.unlink(directory.path(name)) }
            if !leftovers.isEmpty { try directory.fileSystem.syncDirectory(directory.path) }
        }
    }
}
