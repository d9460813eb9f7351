/// A store's journal read from its start, or from where a checkpoint ends: what is there, how far it is proven, and how it ends.
///
/// It changes nothing. What has to be done before the next append is ``RecoveryPlan``'s to say.
struct JournalReplay {
    /// One segment, as far as it counts.
    struct Segment: Hashable {
        var header: SegmentHeader
        /// Where its last live frame ends.
        var length: UInt64
    }

    typealias Visitor =
        (
            _ segment: UInt32,
            _ frame: borrowing SegmentScanner.Frame,
            _ payload: RawSpan
        ) throws(StorageError) -> Void

    /// Where reading began, if not at the start: what stands before is durable and was not read.
    private(set) var start: JournalPosition?
    var segments: [Segment] = []
    /// Behind the last right frame, in the last segment.
    var end = SegmentScanner.Position(offset: 0, number: .zero, chain: nil)
    var isSealed = false
    /// Whether the last frame of the last segment is a transaction.
    var endsWithTransaction = false
    /// Where the last moves of the last segment stand.
    private var moves: (offset: UInt64, number: SequenceNumber)?
    /// The segments that are gone.
    private(set) var retired = RetiredSegments()
    /// Whether a frame boundary was met where the list of retired segments says one is.
    private var meetsProvenPlace = false
    /// The greatest number that was ever known to be durable.
    var proven = SequenceNumber.zero
    /// Whether nothing but zeros stands behind ``end``.
    var tailIsZero = true
    /// A file that was made for the next segment and has no header yet.
    var prepared: Prepared?
    /// Whether a `closed` file stands, right or not.
    var hasWitness = false
    /// Whether `closed` says that the journal ends exactly where it does.
    var wasClosed = false

    enum Prepared: Hashable {
        /// All zero where a header will stand.
        case blank(UInt32)
        /// Its header was being written: nothing in it was ever acknowledged.
        case torn(UInt32)
    }

    /// Reads the journal and visits its frames in order.
    ///
    /// - Throws: ``StorageError`` `.corruption` where proven data is damaged or missing,
    ///   `.unsupportedVersion`, or what `visit` throws.
    static func run(
        _ layout: SegmentLayout,
        files: SegmentFiles,
        witness: CloseWitness?,
        from start: JournalPosition? = nil,
        proven: SequenceNumber = .zero,
        _ visit: Visitor
    ) throws(StorageError) -> JournalReplay {
        var replay = JournalReplay()
        replay.start = start
        replay.proven = max(proven, start?.number ?? .zero)
        replay.prepared = layout.prepared
        replay.retired = layout.map.retired
        replay.end.epoch = layout.map.retired.proven?.epoch ?? 0
        if let place = replay.retired.proven, let start {
            // What is durable up to there is so up to an earlier place.
            let (segment, offset) = (place.segment, place.offset)
            replay.meetsProvenPlace = (start.segment, start.offset) >= (segment, offset)
        }
        for (index, header) in layout.headers.enumerated() {
            let boundary = layout.map.end(ofIndex: index)
            if let start, let boundary, header.number < start.segment {
                replay.segments.append(Segment(header: header, length: boundary.length))
            } else {
                try replay.read(header, upTo: boundary, witness, files: files, visit)
            }
        }
        try replay.judge(witness, files: files)
        return replay
    }

    private mutating func read(
        _ header: SegmentHeader,
        upTo boundary: SegmentBoundary?,
        _ witness: CloseWitness?,
        files: SegmentFiles,
        _ visit: Visitor
    ) throws(StorageError) {
        let file = try files.file(header.number)
        let start = start.flatMap { $0.segment == header.number ? $0 : nil }
        if start == nil { try continueChain(header, path: file.path) }
        var scanner = try SegmentScanner(
            file,
            salt: header.salt,
            from: start?.scanPosition
                ?? SegmentScanner.Position(startOf: header, epoch: end.epoch),
            limit: boundary?.length
        )
        if start?.isSealed == true, boundary == nil { scanner.endAtSeal() }
        var noted = self
        // Where it starts within a segment, nothing unproven stands before.
        noted.endsWithTransaction = start != nil
        noted.moves = nil
        let outcome = try scanner.scan { frame, payload throws(StorageError) in
            try visit(header.number, frame, payload)
            noted.note(frame, in: header.number)
            return true
        }
        self = noted
        end = scanner.position
        notePlace(header.number, end.offset, end.chain)
        isSealed = outcome == .seal
        segments.append(Segment(header: header, length: end.offset))
        proven = max(proven, header.before, scanner.watermark)
        if let boundary {
            try requireWhole(boundary, path: file.path)
        } else if outcome == .broken {
            if witness?.isMet(by: end, in: header.number) == true, try scanner.isBlankAhead() {
                return
            }
            let remains = try scanner.remains()
            tailIsZero = remains.isZero
            proven = max(proven, remains.watermark)
        }
    }

    private mutating func note(
        _ frame: borrowing SegmentScanner.Frame,
        in segment: UInt32
    ) {
        let kind = frame.header.kind
        endsWithTransaction = kind == .transaction
        if kind == .moves { moves = (frame.offset, frame.header.number) }
        notePlace(segment, frame.offset, frame.header.chain)
    }

    /// Takes note of a frame boundary.
    private mutating func notePlace(_ segment: UInt32, _ offset: UInt64, _ chain: UInt64?) {
        guard let place = retired.proven, place.segment == segment, place.offset == offset
        else { return }
        meetsProvenPlace = chain == nil || place.chain == chain
    }

    /// Where the segments before a header's end, read or retired.
    private func boundary(before header: SegmentHeader) -> SegmentBoundary? {
        let last = segments.last?.header.number ?? 0
        if header.number > last &+ 1 {
            let range = retired.range(holding: last &+ 1)
            return range?.segments == last &+ 1...header.number - 1 ? range?.end : nil
        }
        guard let length = segments.last?.length else { return .start }
        return end.chain.map { SegmentBoundary(length: length, chain: $0, next: end.number.next) }
    }

    /// A segment has to begin where the one before ends.
    private func continueChain(_ header: SegmentHeader, path: String) throws(StorageError) {
        guard header.start == boundary(before: header) else {
            throw .corruption(
                "Segment \(header.number) does not continue the one before it: it begins with"
                    + " commit \(header.first), and commit \(end.number) was the last.",
                path: path,
                offset: 0
            )
        }
    }

    /// All of a segment that has a successor is proven: the successor's header says how far it
    /// goes, or the list of the retired.
    private func requireWhole(
        _ boundary: SegmentBoundary,
        path: String
    ) throws(StorageError) {
        guard end.offset == boundary.length, end.number.next == boundary.next,
            end.chain == nil || end.chain == boundary.chain
        else {
            throw .missingCommits(
                from: end.number.next,
                through: SequenceNumber(boundary.next.rawValue &- 1),
                path: path,
                offset: end.offset
            )
        }
    }

    /// Decides whether the end is a torn tail, which is normal, or damage to what was durable.
    private mutating func judge(
        _ witness: CloseWitness?,
        files: SegmentFiles
    ) throws(StorageError) {
        guard let last = segments.last else { return }
        let path = files.directory.segmentPath(last.header.number)
        if let witness {
            proven = max(proven, witness.number)
            wasClosed = witness.isMet(by: end, in: last.header.number)
        }
        if proven > end.number {
            throw .missingCommits(
                from: end.number.next,
                through: proven,
                path: path,
                offset: end.offset
            )
        }
        // What was live in retired segments stands before that place, and moves have no number
        // that could be missed.
        if retired.proven != nil, !meetsProvenPlace {
            throw .corruption(
                "The journal ends before what compaction had made durable, or was exchanged.",
                path: path,
                offset: end.offset
            )
        }
        // The next file is made durable before a seal is written: sealed and alone means that the
        // newest segment was taken away.
        if isSealed, prepared == nil {
            throw .corruption(
                "Segment \(last.header.number) is sealed and its successor is missing: every"
                    + " commit after \(end.number) is gone.",
                path: files.directory.segmentPath(last.header.number + 1)
            )
        }
    }
}

extension JournalReplay {
    /// The bytes of journal that were read.
    var readBytes: UInt64 {
        let read = segments.filter { $0.header.number >= start?.segment ?? 0 }
        return read.reduce(0) { $0 + $1.length } - (start?.offset ?? 0)
    }

    /// Whether a frame at this place is known to be durable, whatever its number.
    func isProven(_ offset: UInt64, in segment: UInt32) -> Bool {
        retired.proven.map { $0.segment == segment && offset < $0.offset } ?? false
    }

    /// Whether moves stand behind everything that is known to be durable.
    var hasUnprovenMoves: Bool {
        guard let moves, let last = segments.last?.header.number else { return false }
        return moves.number >= proven && !isProven(moves.offset, in: last)
    }

    /// The segments that count.
    var map: JournalMap { JournalMap(headers: segments.map(\.header), retired: retired) }
}

extension StorageError {
    static func missingMoves(_ path: String, _ offset: UInt64) -> StorageError {
        .corruption(
            "What compaction had made durable in the segment is damaged or missing.",
            path: path,
            offset: offset
        )
    }

    static func missingCommits(
        from first: SequenceNumber,
        through last: SequenceNumber,
        path: String,
        offset: UInt64
    ) -> StorageError {
        let what =
            first < last
            ? "Commits \(first) to \(last) were durable and are damaged or missing."
            : first == last
                ? "Commit \(first) was durable and is damaged or missing."
                : "The end of the segment is damaged."
        return .corruption(what, path: path, offset: offset)
    }
}
