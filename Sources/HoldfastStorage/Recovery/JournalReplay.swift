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
        for (index, header) in layout.headers.enumerated() {
            let successor = index + 1 < layout.headers.count ? layout.headers[index + 1] : nil
            if let start, let successor, header.number < start.segment {
                let length = successor.predecessorLength
                replay.segments.append(Segment(header: header, length: length))
            } else {
                try replay.read(header, before: successor, files: files, visit)
            }
        }
        try replay.judge(witness, files: files)
        return replay
    }

    private mutating func read(
        _ header: SegmentHeader,
        before successor: SegmentHeader?,
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
            limit: successor?.predecessorLength
        )
        // Where it starts within a segment, nothing unproven stands before.
        var endsWithTransaction = start != nil
        if start?.isSealed == true, successor == nil { scanner.endAtSeal() }
        let outcome = try scanner.scan { frame, payload throws(StorageError) in
            try visit(header.number, frame, payload)
            endsWithTransaction = frame.header.kind == .transaction
            return true
        }
        self.endsWithTransaction = endsWithTransaction
        end = scanner.position
        isSealed = outcome == .seal
        segments.append(Segment(header: header, length: end.offset))
        proven = max(proven, header.before, scanner.watermark)
        if let successor {
            try requireWhole(header, successor, path: file.path)
        } else if outcome == .broken {
            let remains = try scanner.remains()
            tailIsZero = remains.isZero
            proven = max(proven, remains.watermark)
        }
    }

    /// A segment has to begin where the one before ends.
    private func continueChain(_ header: SegmentHeader, path: String) throws(StorageError) {
        let last = segments.last
        guard header.first == end.number.next,
            header.predecessorLength == last?.length ?? 0,
            header.predecessorChain == (last == nil ? 0 : end.chain)
        else {
            throw .corruption(
                "Segment \(header.number) does not continue the one before it: it begins with"
                    + " commit \(header.first), and commit \(end.number) was the last.",
                path: path,
                offset: 0
            )
        }
    }

    /// All of a segment that has a successor is proven: the successor's header says how far it
    /// goes.
    private func requireWhole(
        _ header: SegmentHeader,
        _ successor: SegmentHeader,
        path: String
    ) throws(StorageError) {
        guard end.offset == successor.predecessorLength, end.number.next == successor.first else {
            throw .missingCommits(
                from: end.number.next,
                through: successor.before,
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
            wasClosed =
                witness.segment == last.header.number && witness.number == end.number
                && witness.length == end.offset && witness.chain == end.chain
        }
        if proven > end.number {
            throw .missingCommits(
                from: end.number.next,
                through: proven,
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
}

extension StorageError {
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
