import Synchronization

/// Reads committed transactions back from the journal, for the change feed.
final class ChangeReader: Sendable {
    /// Where a read ended: a consumer that comes back goes on there, without a scan of the segment
    /// from its start.
    private struct Resume {
        var segment: SegmentHeader
        var position: SegmentScanner.Position
    }

    private let files: SegmentFiles
    private let segments: Mutex<[SegmentHeader]>
    /// The newest ones, one for each of several consumers that come in turn.
    private let resumes = Mutex<[Resume]>([])
    private static let resumeLimit = 16

    init(files: SegmentFiles, segments: [SegmentHeader]) {
        self.files = files
        self.segments = Mutex(segments)
    }

    /// Says that a segment has begun.
    func started(_ segment: SegmentHeader) { segments.withLock { $0.append(segment) } }

    /// The segments that there are, in order.
    var headers: [SegmentHeader] { segments.withLock { $0 } }

    /// Says which segments there are.
    func follow(_ segments: [SegmentHeader]) { self.segments.withLock { $0 = segments } }

    /// The transactions in `numbers`, which have to be published, at most `limit` of them.
    func commits(
        after number: SequenceNumber,
        through last: SequenceNumber,
        limit: Int
    ) throws(StorageError) -> [Commit] {
        var commits: [Commit] = []
        var number = number
        while number < last, commits.count < limit {
            let found = commits.count
            try read(after: number, through: last, limit: limit, into: &commits)
            guard let newest = commits.last, commits.count > found else {
                throw .corruption(
                    "Commit \(number.next) is missing from the journal.",
                    path: files.directory.path
                )
            }
            number = newest.sequenceNumber
        }
        return commits
    }

    /// Reads from the one segment that holds the next number.
    private func read(
        after number: SequenceNumber,
        through last: SequenceNumber,
        limit: Int,
        into commits: inout [Commit]
    ) throws(StorageError) {
        guard let (start, end) = place(of: number) else { return }
        var scanner = try SegmentScanner(
            try files.file(start.segment.number),
            salt: start.segment.salt,
            from: start.position,
            limit: end
        )
        let path = scanner.path
        var found = commits
        _ = try scanner.scan { frame, payload throws(StorageError) in
            guard frame.header.number <= last, found.count < limit else { return false }
            guard frame.header.kind == .transaction, frame.header.number > number else {
                return true
            }
            found.append(
                Commit(
                    sequenceNumber: frame.header.number,
                    changes: try FrameEntry.changes(in: payload, frame, path: path)
                )
            )
            return true
        }
        commits = found
        remember(Resume(segment: start.segment, position: scanner.position))
    }

    /// Keeps where a read ended; of several at one place the last.
    private func remember(_ resumed: Resume) {
        resumes.withLock { resumes in
            resumes.removeAll { $0.position.number == resumed.position.number }
            if resumes.count == Self.resumeLimit { resumes.removeFirst() }
            resumes.append(resumed)
        }
    }

    private func place(of number: SequenceNumber) -> (start: Resume, end: UInt64?)? {
        let (segment, successor) = segments.withLock { segments in
            let index = segments.lastIndex { $0.first <= number.next }
            let next = index.map { $0 + 1 } ?? segments.count
            return (
                index.map { segments[$0] },
                next < segments.count ? segments[next] : nil
            )
        }
        guard let segment else { return nil }
        let resume = resumes.withLock { resumes in
            resumes.last { $0.position.number == number && $0.segment == segment }
        }
        if let resume { return (resume, successor?.predecessorLength) }
        let start = SegmentScanner.Position(startOf: segment)
        return (Resume(segment: segment, position: start), successor?.predecessorLength)
    }
}

extension FrameEntry {
    /// The changes in a transaction's payload.
    static func changes(
        in payload: RawSpan,
        _ frame: borrowing SegmentScanner.Frame,
        path: String
    ) throws(StorageError) -> [Change] {
        var changes: [Change] = []
        try forEach(in: payload, frame, path: path) { entry in
            changes.append(
                Change(
                    key: [UInt8](payload.extracting(entry.key)),
                    value: entry.value.map { [UInt8](payload.extracting($0)) }
                )
            )
        }
        return changes
    }

    /// Visits the entries of a transaction's payload, which has to consist of them and nothing
    /// else.
    static func forEach(
        in payload: RawSpan,
        _ frame: borrowing SegmentScanner.Frame,
        path: String,
        _ visit: (FrameEntry) throws(StorageError) -> Void
    ) throws(StorageError) {
        var position = 0
        while position < payload.byteCount {
            guard let entry = FrameEntry(payload, at: position) else {
                throw .corruption(
                    "The frame's checks hold and its entries make no sense.",
                    path: path,
                    offset: frame.offset
                )
            }
            try visit(entry)
            position = entry.bytes.upperBound
        }
    }
}
