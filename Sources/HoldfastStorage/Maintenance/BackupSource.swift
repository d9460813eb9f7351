import Synchronization

/// A store at one commit, as a backup takes it and a check looks at it.
struct BackupSource {
    /// A segment, as far as it counts.
    struct Segment {
        var header: SegmentHeader
        /// Behind its last frame that counts.
        var end: SegmentScanner.Position
        /// Whether its file never changes again.
        var isSealed = true
    }

    var directory: StoreDirectory
    var identity: StoreIdentity
    /// The segments, the last one up to the commit.
    var segments: [Segment]
    /// Whether the last frame is a seal, and so nothing can follow in the last segment.
    var isSealed: Bool
    /// The state at the commit; holding it keeps the segments on the disk.
    var root: StorageRoot

    /// The store whose segments have these headers, the last one being written, and up to `end` in
    /// that one.
    init(
        _ directory: StoreDirectory,
        _ identity: StoreIdentity,
        headers: [SegmentHeader],
        end: SegmentScanner.Position,
        isSealed: Bool,
        root: StorageRoot
    ) {
        self.directory = directory
        self.identity = identity
        self.isSealed = isSealed
        self.root = root
        segments = headers.indices.map { index in
            index + 1 < headers.count
                ? Segment(header: headers[index], end: Self.end(before: headers[index + 1]))
                : Segment(header: headers[index], end: end, isSealed: false)
        }
    }

    private static func end(before successor: SegmentHeader) -> SegmentScanner.Position {
        SegmentScanner.Position(
            offset: successor.predecessorLength,
            number: successor.before,
            chain: successor.predecessorChain
        )
    }

    /// The last commit.
    var last: SequenceNumber { segments.last?.end.number ?? .zero }

    /// What says that the copy ends where it does; `nil` behind a seal, where another file says so.
    var witness: CloseWitness? {
        guard !isSealed, let last = segments.last else { return nil }
        return CloseWitness(
            store: identity.store,
            number: last.end.number,
            segment: last.header.number,
            length: last.end.offset,
            chain: last.end.chain ?? last.header.chain()
        )
    }
}

extension JournalStorage {
    /// What readers see now.
    func backupSource() throws(StorageError) -> BackupSource {
        let (root, tail) = try queue.withLock { queue throws(StorageError) in
            if queue.isClosed { throw .closed }
            return (queue.published, queue.flushed)
        }
        let headers = changeReader.headers.filter { $0.number < tail.header.number }
        return BackupSource(
            directory,
            identity,
            headers: headers + [tail.header],
            end: SegmentScanner.Position(
                offset: tail.offset,
                number: tail.number,
                chain: tail.chain
            ),
            isSealed: tail.isSealed,
            root: root
        )
    }
}

extension JournalFollower {
    /// What is shown, after a look for what is new.
    func backupSource() throws(StorageError) -> BackupSource {
        try refresh()
        return try state.withLock { state throws(StorageError) in
            let root = try shownRoot()
            return BackupSource(
                files.directory,
                identity,
                headers: state.segments,
                end: state.position,
                isSealed: state.isSealed,
                root: root
            )
        }
    }
}
