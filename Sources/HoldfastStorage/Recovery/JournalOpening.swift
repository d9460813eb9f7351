/// A store's directory opened for writing, step by step: found or made, locked, made durable, read,
/// and made ready for the next append.
struct JournalOpening {
    let directory: StoreDirectory
    let configuration: JournalConfiguration
    let files: SegmentFiles
    let lock: StoreLock
    let store: StoreID
    var replay = JournalReplay()
    var root = StorageRoot()
    var report = RecoveryReport()

    init(at path: String, _ configuration: JournalConfiguration) async throws(StorageError) {
        self.configuration = configuration
        directory = StoreDirectory(path: path, fileSystem: configuration.fileSystem)
        files = SegmentFiles(directory)
        let isNew = try directory.findOrMake(configuration)
        lock = try await StoreLock.take(directory, configuration)
        // What stood there before the lock was taken may have been another opener's work.
        var listing = try directory.listing()
        if isNew, !listing.hasIdentity {
            try directory.create(configuration)
            listing = try directory.listing()
            report.isNew = true
        }
        store = try directory.identity()
        try directory.settle(listing)
        try read(listing)
    }

    /// Reads the journal into ``root``.
    private mutating func read(_ listing: StoreDirectory.Listing) throws(StorageError) {
        let layout = try SegmentLayout(listing.segments, store: store, files: files)
        guard layout.headers.allSatisfy({ $0.writerFeatures == 0 }) else {
            throw .unsupportedFeatures(path: directory.path)
        }
        let witness = try directory.witness(listing, store: store)
        var root = StorageRoot()
        replay = try JournalReplay.run(layout, files: files, witness: witness) {
            segment,
            frame,
            payload throws(StorageError) in
            try root.apply(frame, payload, segment: segment, files: files)
        }
        replay.hasWitness = listing.hasClosed
        self.root = root
        report.wasClosed = replay.wasClosed
        report.last = replay.end.number
        report.proven = replay.proven
        report.hadTornTail = !replay.tailIsZero
        report.segments = replay.segments.count
        report.bytes = replay.segments.reduce(0) { $0 + $1.length }
    }
}

extension JournalOpening {
    /// A store that can be written to.
    struct Ready {
        var tail: JournalTail
        /// The greatest number known to be durable, and the greatest that the journal says so of.
        var durable: SequenceNumber
        var recorded: SequenceNumber
        var segments: [SegmentHeader]
        /// A file that stands ready for the next segment.
        var prepared: UInt32?
        var hasWitness: Bool
        /// What a full disk kept from being done.
        var deferred: TailRewrite?
    }

    /// Does what has to be done before the next append.
    ///
    /// - Throws: ``StorageError``; the store is as it was. A full disk is no error here: the store
    ///   serves reads, and tries again before each write.
    mutating func makeReady() throws(StorageError) -> Ready {
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
                ready.segments.append(ready.tail.header)
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
        let before = replay.segments.dropLast().reduce(0) { $0 + $1.length }
        var prepared: UInt32?
        if case .blank(let number)? = replay.prepared { prepared = number }
        return Ready(
            tail: JournalTail(
                header: last.header,
                offset: replay.end.offset,
                chain: replay.end.chain ?? last.header.chain(),
                number: replay.end.number,
                epoch: replay.end.epoch &+ 1,
                capacity: configuration.segmentBytes(after: before),
                isSealed: replay.isSealed,
                bytesBefore: before
            ),
            durable: replay.proven,
            recorded: replay.proven,
            segments: replay.segments.map(\.header),
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

extension StoreDirectory {
    /// Throws unless a store is there.
    func requireStore() throws(StorageError) {
        var configuration = JournalConfiguration()
        configuration.createsIfMissing = false
        _ = try findOrMake(configuration)
    }

    /// - Returns: Whether a store has to be made there.
    func findOrMake(_ configuration: JournalConfiguration) throws(StorageError) -> Bool {
        let kind = try describing("Opening the store") { () throws(SystemCallError) in
            try fileSystem.kind(of: path)
        }
        switch kind {
        case .directory:
            return try isUnmade(createsIfMissing: configuration.createsIfMissing)
        case nil where configuration.createsIfMissing:
            try make()
            return true
        case nil:
            throw StorageError(.notFound, "There is no store at this path.", path: path)
        case .file, .other:
            throw StorageError(
                .notAStore,
                "This is a file, and a store is a directory. Nothing was touched.",
                path: path
            )
        }
    }

    private func make() throws(StorageError) {
        do throws(SystemCallError) {
            try fileSystem.createDirectory(path)
            try fileSystem.syncDirectory(parent)
        } catch  where error.errno == .notFound {
            throw StorageError(
                .notFound,
                "The directory that the store should stand in does not exist. Make it first.",
                path: parent
            )
        } catch {
            throw StorageError(error, doing: "Making the store")
        }
    }

    private func isUnmade(createsIfMissing: Bool) throws(StorageError) -> Bool {
        let listing = try listing()
        if listing.hasIdentity { return false }
        if !listing.foreign.isEmpty || !createsIfMissing {
            throw StorageError(
                .notAStore,
                "The directory is not a store: it has no identity file. Nothing was touched.",
                path: path
            )
        }
        // The identity is durable before the first commit: with more than an empty first segment,
        // it was lost.
        var isEmpty = listing.segments.isEmpty && !listing.hasClosed
        if listing.segments == [1], !listing.hasClosed { isEmpty = try isWithoutFrames(segment: 1) }
        guard isEmpty else {
            throw .corruption(
                "The store's identity file is missing.",
                path: path(Self.identityName)
            )
        }
        return true
    }

    private func isWithoutFrames(segment: UInt32) throws(StorageError) -> Bool {
        let bytes = try describing("Opening the store") { () throws(SystemCallError) in
            try read(Self.segmentName(segment), limit: DoubledRecord.byteCount + 4_096)
        }
        return bytes.dropFirst(DoubledRecord.byteCount).allSatisfy { $0 == 0 }
    }

    func listing() throws(StorageError) -> Listing {
        try describing("Opening the store") { () throws(SystemCallError) in try list() }
    }

    /// Makes an empty store: its first segment, durable, and then its identity.
    fileprivate func create(
        _ configuration: JournalConfiguration
    ) throws(StorageError) {
        let random = configuration.random
        let store = StoreID(first: random(), second: random())
        let header = SegmentHeader(
            store: store,
            number: 1,
            salt: random(),
            first: SequenceNumber(1),
            predecessorLength: 0,
            predecessorChain: 0
        )
        let doing = "Making the store"
        try place(Self.segmentName(1), doing: doing) { file throws(StorageError) in
            try describing(doing) { () throws(SystemCallError) in
                try unsafe file.write(header.bytes().span.bytes, at: 0)
                try file.fillWithZeros(
                    from: SegmentHeader.firstFrame,
                    upTo: configuration.segmentBytes(after: 0)
                )
            }
        }
        try place(Self.identityName, doing: doing, bytes: StoreIdentity.bytes(of: store))
        try describing(doing) { () throws(SystemCallError) in
            try fileSystem.syncDirectory(parent)
        }
    }

    /// The store that the directory is.
    func identity() throws(StorageError) -> StoreID {
        let bytes = try describing("Opening the store") { () throws(SystemCallError) in
            try read(Self.identityName, limit: DoubledRecord.byteCount)
        }
        let path = path(Self.identityName)
        guard let store = try unsafe StoreIdentity.parse(bytes.span.bytes, path: path) else {
            throw .corruption("Both copies of the store's identity are damaged.", path: path)
        }
        return store
    }

    func witness(_ listing: Listing, store: StoreID?) throws(StorageError) -> CloseWitness? {
        guard listing.hasClosed else { return nil }
        let bytes = try describing("Opening the store") { () throws(SystemCallError) in
            try read(Self.closedName, limit: 4_096)
        }
        let path = path(Self.closedName)
        let witness = try unsafe CloseWitness.parse(bytes.span.bytes, path: path)
        return store == nil || witness?.store == store ? witness : nil
    }

    /// Makes durable what a killed process may have left in the page cache only, before anything is
    /// concluded from it: else it could be acted on and then be lost.
    fileprivate func settle(_ listing: Listing) throws(StorageError) {
        try describing("Opening the store") { () throws(SystemCallError) in
            for number in listing.segments.suffix(2) {
                let file = try fileSystem.open(segmentPath(number), .readWrite)
                defer { file.close() }
                try file.sync()
            }
            try fileSystem.syncDirectory(path)
        }
        // A process that was killed while it made the store may not have come to this.
        if !listing.hasClosed { try syncParent() }
    }

    /// Makes the directory's own name durable, where the system lets its parent be opened.
    private func syncParent() throws(StorageError) {
        try describing("Opening the store") { () throws(SystemCallError) in
            do throws(SystemCallError) {
                try fileSystem.syncDirectory(parent)
            } catch  where error.errno == .permissionDenied || error.errno == .notPermitted {
                // Then whoever made it there has seen to its name.
            }
        }
    }
}
