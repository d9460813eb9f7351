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
    /// The segments that are gone.
    var retired: RetiredSegments
    /// Whether the last frame is a seal, and so nothing can follow in the last segment.
    var isSealed: Bool
    /// The state at the commit.
    var root: StorageRoot
    /// Keeps the segments on the disk as long as this is held.
    var pin: SegmentPin?

    /// The store whose segments `map` has, the last one being written, and up to `end` in that one.
    init(
        _ directory: StoreDirectory,
        _ identity: StoreIdentity,
        _ map: JournalMap,
        end: SegmentScanner.Position,
        isSealed: Bool,
        root: StorageRoot,
        pin: SegmentPin? = nil
    ) {
        self.directory = directory
        self.identity = identity
        self.isSealed = isSealed
        self.root = root
        self.pin = pin
        retired = map.retired
        segments = map.headers.indices.map { index in
            let header = map.headers[index]
            guard let boundary = map.end(ofIndex: index) else {
                return Segment(header: header, end: end, isSealed: false)
            }
            return Segment(header: header, end: SegmentScanner.Position(before: boundary))
        }
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

extension SegmentScanner.Position {
    fileprivate init(before boundary: SegmentBoundary) {
        self.init(
            offset: boundary.length,
            number: SequenceNumber(boundary.next.rawValue &- 1),
            chain: boundary.chain
        )
    }
}

extension JournalStorage {
    /// What readers see now.
    func backupSource() throws(StorageError) -> BackupSource {
        while true {
            // Compaction may give segments up between the two: what they held would be missing.
            let before = changeReader.map.retired
            let (root, tail, pin) = try queue.withLock { queue throws(StorageError) in
                if queue.isClosed { throw .closed }
                return (queue.published, queue.flushed, queue.pin)
            }
            var map = changeReader.map
            guard map.retired == before else { continue }
            map.headers.removeAll { $0.number > tail.header.number }
            return BackupSource(
                directory,
                identity,
                map,
                end: SegmentScanner.Position(
                    offset: tail.offset,
                    number: tail.number,
                    chain: tail.chain
                ),
                isSealed: tail.isSealed,
                root: root,
                pin: pin
            )
        }
    }
}

extension JournalFollower {
    /// What is shown, after a look for what is new.
    func backupSource() throws(StorageError) -> BackupSource {
        try refresh()
        return try state.withLock { state throws(StorageError) in
            BackupSource(
                files.directory,
                identity,
                JournalMap(headers: state.segments, retired: state.retired),
                end: state.position,
                isSealed: state.isSealed,
                root: try shownRoot()
            )
        }
    }
}
