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
    private let journal: Mutex<JournalMap>
    /// The newest ones, one for each of several consumers that come in turn.
    private let resumes = Mutex<[Resume]>([])
    private static let resumeLimit = 16

    init(files: SegmentFiles, map: JournalMap = JournalMap()) {
        self.files = files
        journal = Mutex(map)
    }

    /// The segments that count.
    var map: JournalMap { journal.withLock { $0 } }

    /// Says where a read can begin within a segment.
    func startAt(_ position: JournalPosition) {
        let header = map.headers.first { $0.number == position.segment }
        if let header { remember(Resume(segment: header, position: position.scanPosition)) }
    }

    /// Says that a segment has begun.
    func started(_ segment: SegmentHeader) { journal.withLock { $0.headers.append(segment) } }

    /// Says which segments count.
    func follow(_ map: JournalMap) { journal.withLock { $0 = map } }

    /// Says which segments are given up, of which none is the last.
    func retire(_ numbers: [UInt32], _ retired: RetiredSegments) {
        let gone = Set(numbers)
        journal.withLock { map in
            map.headers.removeAll { gone.contains($0.number) }
            map.retired = retired
        }
    }

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
            try requireKept(number)
            do throws(StorageError) {
                try read(after: number, through: last, limit: limit, into: &commits)
            } catch {
                // The segment may just have been given up.
                try requireKept(number)
                throw error
            }
            guard let newest = commits.last, commits.count > found else {
                try requireKept(number)
                throw .corruption(
                    "Commit \(number.next) is missing from the journal.",
                    path: files.directory.path
                )
            }
            number = newest.sequenceNumber
        }
        return commits
    }

    /// - Throws: ``StorageError`` `.changesCompacted` when the next change is gone.
    private func requireKept(_ number: SequenceNumber) throws(StorageError) {
        let floor = journal.withLock { $0.retired.floor }
        if number < floor { throw .changesCompacted(floor) }
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
        let place = journal.withLock { map in
            map.headers.lastIndex { $0.first <= number.next }
                .map { (segment: map.headers[$0], end: map.end(ofIndex: $0)?.length) }
        }
        guard let (segment, end) = place else { return nil }
        let resume = resumes.withLock { resumes in
            resumes.last { $0.position.number == number && $0.segment == segment }
        }
        if let resume { return (resume, end) }
        let start = SegmentScanner.Position(startOf: segment)
        return (Resume(segment: segment, position: start), end)
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
        try forEach(in: payload, frame, path: path) { entry, _ in
            changes.append(
                Change(
                    key: [UInt8](payload.extracting(entry.key)),
                    value: entry.value.map { [UInt8](payload.extracting($0)) }
                )
            )
        }
        return changes
    }

    /// Visits the entries of a payload, which has to consist of them and nothing else, each with
    /// the number of the transaction that wrote it.
    static func forEach(
        in payload: RawSpan,
        _ frame: borrowing SegmentScanner.Frame,
        path: @autoclosure () -> String,
        _ visit: (FrameEntry, SequenceNumber) throws(StorageError) -> Void
    ) throws(StorageError) {
        var position = 0
        while position < payload.byteCount {
            guard let (entry, number) = next(in: payload, at: &position, frame.header) else {
                throw .corruption(
                    "The frame's checks hold and its entries make no sense.",
                    path: path(),
                    offset: frame.offset
                )
            }
            try visit(entry, number)
        }
    }

    /// The entry at a position of a payload, which moves behind it; `nil` where none stands there.
    package static func next(
        in payload: RawSpan,
        at position: inout Int,
        _ header: FrameHeader
    ) -> (entry: FrameEntry, number: SequenceNumber)? {
        var number = header.number
        if header.kind == .moves {
            guard let original = payload.longVarint(at: &position) else { return nil }
            number = SequenceNumber(original)
        }
        guard let entry = FrameEntry(payload, at: position) else { return nil }
        position = entry.bytes.upperBound
        return (entry, number)
    }
}
