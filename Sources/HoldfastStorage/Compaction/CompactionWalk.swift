/// One way through a segment that is given up: gathers, some at a time, the entries that something
/// still needs.
struct CompactionWalk: ~Copyable {
    private static let batchBytes = 1 << 20

    private let segment: SegmentHeader
    private let end: UInt64
    private let leaving: Set<UInt32>
    private var scanner: SegmentScanner

    /// - Parameters:
    ///   - segment: The segment.
    ///   - start: Where an earlier way through it has come to.
    ///   - end: Where its last live frame ends.
    ///   - leaving: The segments that are given up together with it.
    ///   - files: The store's files.
    /// - Throws: ``StorageError`` when the segment cannot be read.
    init(
        _ segment: SegmentHeader,
        from start: SegmentScanner.Position?,
        upTo end: UInt64,
        leaving: Set<UInt32>,
        files: SegmentFiles
    ) throws(StorageError) {
        self.segment = segment
        self.end = end
        self.leaving = leaving
        scanner = try SegmentScanner(
            try files.file(segment.number),
            salt: segment.salt,
            from: start ?? SegmentScanner.Position(startOf: segment),
            limit: end
        )
    }

    /// Behind the last frame whose entries were gathered.
    var position: SegmentScanner.Position { scanner.position }

    /// Gathers the next entries that `root` needs.
    ///
    /// - Returns: Whether there may be more.
    /// - Throws: ``StorageError`` `.corruption` when the segment cannot be read to its end.
    mutating func gather(
        neededBy root: StorageRoot,
        into batch: inout CompactionBatch
    ) throws(StorageError) -> Bool {
        batch.removeAll()
        var gathered = CompactionBatch()
        swap(&gathered, &batch)
        let (segment, leaving, path) = (segment.number, leaving, scanner.path)
        let outcome = try scanner.scan { frame, payload throws(StorageError) in
            if gathered.byteCount >= Self.batchBytes { return false }
            let start = UInt32(frame.offset) + UInt32(FrameHeader.byteCount)
            try FrameEntry.forEach(in: payload, frame, path: path) {
                entry,
                number throws(StorageError) in
                let candidate = CompactionBatch.Candidate(entry, number, at: start, in: segment)
                let key = payload.extracting(entry.key)
                guard try root.needs(candidate, key, leaving: leaving) else { return }
                gathered.append(candidate, entry, payload)
            }
            return true
        }
        swap(&gathered, &batch)
        guard outcome != nil else { return true }
        guard scanner.position.offset == end else {
            throw .corruption(
                "A segment cannot be compacted, since it is damaged.",
                path: path,
                offset: scanner.position.offset
            )
        }
        return false
    }
}

/// Entries on their way from one segment to another.
struct CompactionBatch: ~Copyable {
    /// What an entry is, and where it stands.
    struct Candidate {
        let segment: UInt32
        let offset: UInt32
        let number: SequenceNumber
        /// What a delete hides; `nil` for a put.
        let hidden: ClosedRange<UInt32>?

        init(
            _ entry: FrameEntry,
            _ number: SequenceNumber,
            at start: UInt32,
            in segment: UInt32
        ) {
            self.segment = segment
            offset = start + UInt32(entry.bytes.lowerBound)
            self.number = number
            hidden = entry.value == nil ? entry.tombstone(in: segment).hidden : nil
        }
    }

    struct Entry {
        let candidate: Candidate
        /// Where its bytes are in the batch.
        let bytes: Range<Int>
    }

    private(set) var entries: [Entry] = []
    private var buffer = ByteBuffer()

    var byteCount: Int { buffer.count }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        buffer.truncate(to: 0)
    }

    /// Takes an entry in: byte for byte, but for a delete that does not say what it hides.
    mutating func append(_ candidate: Candidate, _ entry: FrameEntry, _ payload: RawSpan) {
        let start = buffer.count
        if let hidden = candidate.hidden, entry.hidden == nil {
            FrameEntry.appendDelete(
                key: payload.extracting(entry.key),
                hiding: hidden,
                number: candidate.number,
                to: &buffer
            )
        } else {
            buffer.append(payload.extracting(entry.bytes))
        }
        entries.append(Entry(candidate: candidate, bytes: start..<buffer.count))
    }

    /// Lends an entry's bytes.
    borrowing func withBytes<Result>(
        of entry: Entry,
        _ body: (RawSpan) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try buffer.withBytes(entry.bytes, body)
    }

    /// The entries in stretches that are moved in one turn each.
    func steps(bytes: Int, count: Int) -> [Range<Int>] {
        var steps: [Range<Int>] = []
        var (start, size) = (0, 0)
        for (index, entry) in entries.enumerated() {
            if index > start, size + entry.bytes.count > bytes || index - start == count {
                steps.append(start..<index)
                (start, size) = (index, 0)
            }
            size += entry.bytes.count
        }
        if start < entries.count { steps.append(start..<entries.count) }
        return steps
    }
}

extension StorageRoot {
    /// Whether an entry would be missed: it is its key's, or hides what stands elsewhere.
    func needs(
        _ candidate: CompactionBatch.Candidate,
        _ key: RawSpan,
        leaving: Set<UInt32>
    ) throws(StorageError) -> Bool {
        if let hidden = candidate.hidden {
            return usage?.retired.isNeeded(hidden, by: candidate.segment, leaving: leaving) ?? true
        }
        guard let current = try location(of: key) else { return false }
        return current.segment == candidate.segment && current.offset == candidate.offset
    }
}
