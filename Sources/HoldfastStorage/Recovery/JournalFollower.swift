import Synchronization

/// A store opened for reading, which follows what another process writes to it.
///
/// It changes nothing on the disk and keeps no lock: it only probes the writer's. While a writer is
/// there it shows what is known to be durable, which lags at most a few hundredths of a second;
/// without one, every commit that is there whole.
public final class JournalFollower: Storage {
    struct State {
        var root = StorageRoot()
        /// The segments that were entered, the one that is read last.
        var segments: [SegmentHeader] = []
        /// The segments that are gone, as they were when the first one was entered.
        var retired = RetiredSegments()
        var position = SegmentScanner.Position(offset: 0, number: .zero, chain: nil)
        /// The greatest number known to be durable.
        var proven = SequenceNumber.zero
        /// Whether nothing more will stand in the segment.
        var isSealed = false
        /// The indexes of the checkpoint that it began with, until they are declared.
        var dormant: DormantIndexes?
        /// The pages that nodes of ``root`` may be in.
        var pages: PageFile?
        /// Where nothing stood when the rest of the segment was looked through.
        var blankFrom: UInt64?
    }

    struct Shown {
        var root = StorageRoot()
        var isClosed = false
    }

    static let pollInterval = Duration.milliseconds(20)

    /// The store's identity.
    public var store: StoreID { identity.store }
    /// Which replica of the store this is; of a backup that was never opened for writing, its
    /// origin's.
    public var replica: StoreID { identity.replica }
    let identity: StoreIdentity
    let configuration: JournalConfiguration
    let files: SegmentFiles
    let changeReader: ChangeReader
    // Held over the disk's work: one caller catches up at a time. Readers take what is shown.
    let state = Mutex(State())
    let shown = Mutex(Shown())

    /// Opens the store in a directory for reading.
    ///
    /// - Parameters:
    ///   - path: The store's directory.
    ///   - configuration: The environment; its sizes do not matter.
    /// - Returns: The open store, at the newest state that may be shown.
    /// - Throws: ``StorageError``: `.notFound`, `.notAStore`, `.unsupportedVersion`, `.corruption`,
    ///   `.protectedDataUnavailable` or `.inputOutput`. Nothing was changed.
    /// - Complexity: O(bytes of journal since the last checkpoint).
    @concurrent
    public static func open(
        at path: String,
        configuration: JournalConfiguration = JournalConfiguration()
    ) async throws(StorageError) -> JournalFollower {
        let directory = StoreDirectory(path: path, fileSystem: configuration.fileSystem)
        try directory.requireStore()
        let follower = JournalFollower(try directory.identity(), directory, configuration)
        try follower.refresh()
        return follower
    }

    private init(
        _ identity: StoreIdentity,
        _ directory: StoreDirectory,
        _ configuration: JournalConfiguration
    ) {
        self.identity = identity
        self.configuration = configuration
        files = SegmentFiles(directory, cacheBytes: configuration.valueCacheBytes)
        changeReader = ChangeReader(files: files)
    }

    /// Catches up with the writer.
    ///
    /// - Returns: The last commit that is shown.
    /// - Throws: ``StorageError`` `.corruption`, `.closed`, or when the files cannot be read; the
    ///   state that was shown stays.
    @discardableResult
    public func refresh() throws(StorageError) -> SequenceNumber {
        try state.withLock { state throws(StorageError) in
            _ = try shownRoot()
            var problem: StorageError?
            // A writer may change what is read half-way through, and a recovery may have written
            // anew what was shown: damage is what stays when all is read again.
            for attempt in 1...4 {
                let isDamaged = state.pages?.isDamaged == true
                do throws(StorageError) {
                    var next =
                        attempt < 3 && !isDamaged
                        ? state : try afresh(state, usesCheckpoint: attempt < 4 && !isDamaged)
                    if try catchUp(&next) {
                        state = next
                        return show(next)
                    }
                } catch  where Self.isWorthAnotherLook(error) {
                    problem = error
                }
            }
            throw problem ?? .busy(files.directory.path)
        }
    }

    private static func isWorthAnotherLook(_ error: StorageError) -> Bool {
        [.corruption, .inputOutput, .checkpointDamaged].contains(error.code)
    }

    /// Where the newest checkpoint ends, or before the first segment, with the indexes that are
    /// declared.
    private func afresh(
        _ state: State,
        usesCheckpoint: Bool
    ) throws(StorageError) -> State {
        var fresh = State()
        fresh.retired = try files.directory.retiredSegments(store: store)
        let definitions = state.root.indexes.map(\.definition)
        let checkpoint = usesCheckpoint ? try enterCheckpoint(&fresh) : nil
        if checkpoint == nil {
            let first = fresh.retired.next(after: 0)
            try requireFile(first)
            try enter(first, &fresh)
        }
        guard !definitions.isEmpty else { return fresh }
        let woken = checkpoint?.indexes.indexes(definitions) ?? []
        try fresh.root.setIndexes(definitions, waking: woken, reading: files)
        fresh.dormant = nil
        return fresh
    }

    /// Begins where the checkpoint ends, if there is one of this journal.
    private func enterCheckpoint(_ state: inout State) throws(StorageError) -> Checkpoint? {
        guard configuration.readsCheckpoint,
            case .checkpoint(let checkpoint) = try CheckpointFile(files.directory).read(of: store)
        else { return nil }
        let position = checkpoint.position
        let numbers = try files.directory.listing().segments.filter { $0 <= position.segment }
        do throws(StorageError) {
            let layout = try SegmentLayout(
                numbers,
                retired: state.retired,
                store: store,
                files: files
            )
            try checkpoint.requireFit(layout, files)
            state.segments = layout.headers
        } catch  where error.code == .corruption {
            return nil
        }
        state.root = checkpoint.root
        // A follower compacts nothing.
        state.root.usage = nil
        state.position = position.scanPosition
        state.isSealed = position.isSealed
        state.proven = position.number
        state.dormant = checkpoint.indexes
        state.pages = checkpoint.pages
        return checkpoint
    }

    private func show(_ state: State) -> SequenceNumber {
        changeReader.follow(JournalMap(headers: state.segments, retired: state.retired))
        shown.withLock { $0.root = state.root }
        return state.root.sequenceNumber
    }

    func shownRoot() throws(StorageError) -> StorageRoot {
        try shown.withLock { shown throws(StorageError) in
            if shown.isClosed { throw .closed }
            return shown.root
        }
    }

    /// - Returns: Whether what was read may be shown: a writer that came while nobody was there to
    ///   be seen may not have made it durable yet.
    private func catchUp(_ state: inout State) throws(StorageError) -> Bool {
        let hasWriter = try StoreLock.isHeld(files.directory)
        // What was given up meanwhile may be gone: what stood there is found where it was moved to.
        let isStale = try files.directory.retiredSegments(store: store) != state.retired
        if state.segments.isEmpty || isStale { state = try afresh(state, usesCheckpoint: true) }
        while let segment = state.segments.last {
            let successor = try header(after: segment, state)
            let hole = state.retired.range(holding: segment.number &+ 1)
            let end = successor.flatMap { hole?.start ?? $0.start }
            try read(segment, upTo: end, hasWriter: hasWriter, &state)
            guard let successor, let end else {
                if state.isSealed { try requireFile(segment.number &+ 1) }
                break
            }
            guard state.position.stands(at: end),
                hole == nil || hole?.end == successor.start
            else {
                throw .missingCommits(
                    from: state.position.number.next,
                    through: successor.before,
                    path: files.directory.segmentPath(segment.number),
                    offset: state.position.offset
                )
            }
            try enter(successor.number, &state)
        }
        if hasWriter { return true }
        return try !StoreLock.isHeld(files.directory)
    }

    private func enter(_ number: UInt32, _ state: inout State) throws(StorageError) {
        guard let header = try header(of: number) else {
            throw .corruption(
                "Segment \(number) has no intact header.",
                path: files.directory.segmentPath(number),
                offset: 0
            )
        }
        state.segments.append(header)
        state.isSealed = false
        state.blankFrom = nil
        state.proven = max(state.proven, header.before)
        state.position = SegmentScanner.Position(startOf: header)
        state.root.sequenceNumber = max(state.root.sequenceNumber, header.before)
    }

    private func header(
        after segment: SegmentHeader,
        _ state: State
    ) throws(StorageError) -> SegmentHeader? {
        let number = state.retired.next(after: segment.number)
        return try hasFile(number) ? try header(of: number) : nil
    }

    private func hasFile(_ number: UInt32) throws(StorageError) -> Bool {
        let path = files.directory.segmentPath(number)
        return try describing("Reading the journal") { () throws(SystemCallError) in
            try configuration.fileSystem.kind(of: path) != nil
        }
    }

    private func requireFile(_ number: UInt32) throws(StorageError) {
        guard try hasFile(number) else {
            throw .corruption(
                "Segment \(number) is missing.",
                path: files.directory.segmentPath(number)
            )
        }
    }

    private func header(of number: UInt32) throws(StorageError) -> SegmentHeader? {
        // The name may have gone over from a prepared file to a recovered one.
        files.forget(number)
        let file = try files.file(number)
        let bytes = try describing("Reading the journal") { () throws(SystemCallError) in
            try file.read(count: DoubledRecord.byteCount, at: 0)
        }
        let header = try unsafe SegmentHeader.parse(bytes.span.bytes, path: file.path)
        guard let header else { return nil }
        guard header.store == store, header.number == number else {
            throw .corruption("The segment belongs elsewhere.", path: file.path, offset: 32)
        }
        return header
    }

    private func read(
        _ segment: SegmentHeader,
        upTo end: SegmentBoundary?,
        hasWriter: Bool,
        _ state: inout State
    ) throws(StorageError) {
        let visible: SequenceNumber
        if let end {
            visible = SequenceNumber(end.next.rawValue &- 1)
        } else if try isBlank(segment, at: state.position.offset, state) {
            return
        } else {
            visible = try newestVisible(in: segment, hasWriter: hasWriter, &state)
        }
        // Also where no commit comes: moves may stand there, and a seal.
        guard visible >= state.position.number else { return }
        var scanner = try scanner(segment, state.position, limit: end?.length)
        var root = state.root
        _ = try scanner.scan { frame, payload throws(StorageError) in
            guard frame.header.number <= visible else { return false }
            try root.apply(frame, payload, segment: segment.number, files: files)
            return true
        }
        state.root = root
        state.position = scanner.position
        state.isSealed = scanner.isSealed
    }

    /// How far the newest segment may be shown.
    private func newestVisible(
        in segment: SegmentHeader,
        hasWriter: Bool,
        _ state: inout State
    ) throws(StorageError) -> SequenceNumber {
        var scanner = try scanner(segment, state.position, limit: nil)
        var end: SegmentScanner.Position
        // Moves carry no number of their own that a watermark could prove.
        let place = try provenOffset(in: segment, state)
        var isMet = place.map { $0 <= state.position.offset } ?? true
        repeat {
            _ = try scanner.scan { frame, _ in
                guard frame.offset + UInt64(frame.header.frameLength) == place else { return true }
                isMet = true
                state.proven = max(state.proven, frame.header.number)
                return true
            }
            end = scanner.position
            state.proven = max(state.proven, scanner.watermark)
            let remains = try scanner.remains()
            state.proven = max(state.proven, remains.watermark)
            state.blankFrom = remains.isZero ? end.offset : nil
            try scanner.refresh()
            // A writer may have filled the gap since it was read: damage is what stays.
            if state.proven > end.number { _ = try scanner.scan { _, _ in true } }
        } while scanner.position != end
        if !hasWriter {
            let listing = try files.directory.listing()
            if let witness = try files.directory.witness(listing, store: store) {
                state.proven = max(state.proven, witness.number)
            }
        }
        guard isMet else { throw .missingMoves(scanner.path, end.offset) }
        guard state.proven <= end.number else {
            if scanner.isSealed { try requireFile(segment.number &+ 1) }
            throw .missingCommits(
                from: end.number.next,
                through: state.proven,
                path: scanner.path,
                offset: end.offset
            )
        }
        return hasWriter ? state.proven : end.number
    }

    /// Up to where compaction has made the newest segment durable.
    private func provenOffset(
        in segment: SegmentHeader,
        _ state: State
    ) throws(StorageError) -> UInt64? {
        guard let place = state.retired.proven, place.segment >= segment.number else { return nil }
        guard place.segment == segment.number else {
            throw .corruption(
                "Segment \(place.segment) is missing.",
                path: files.directory.segmentPath(place.segment)
            )
        }
        return place.offset
    }

    /// Whether still nothing stands where nothing stood before: what comes later starts here.
    private func isBlank(
        _ segment: SegmentHeader,
        at offset: UInt64,
        _ state: State
    ) throws(StorageError) -> Bool {
        guard state.blankFrom == offset else { return false }
        let file = try files.file(segment.number)
        return try describing("Reading the journal") { () throws(SystemCallError) in
            try file.read(count: FrameHeader.byteCount, at: offset).allSatisfy { $0 == 0 }
        }
    }

    private func scanner(
        _ segment: SegmentHeader,
        _ position: SegmentScanner.Position,
        limit: UInt64?
    ) throws(StorageError) -> SegmentScanner {
        try SegmentScanner(
            try files.file(segment.number),
            salt: segment.salt,
            from: position,
            limit: limit
        )
    }
}
