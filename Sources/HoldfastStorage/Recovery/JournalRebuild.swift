/// A state that is made anew from the journal, beside the one that is in use.
struct JournalRebuild {
    private let files: SegmentFiles
    private(set) var root: StorageRoot
    /// Where reading goes on.
    private var segment: UInt32 = 0
    private var position: SegmentScanner.Position?

    init(_ map: JournalMap, files: SegmentFiles) {
        self.files = files
        root = StorageRoot(usage: JournalUsage(retired: map.retired.numbers))
    }

    /// Reads on, up to a transaction that is published.
    ///
    /// Nothing may be retired between two calls.
    ///
    /// - Throws: ``StorageError`` `.corruption` where the journal does not reach so far.
    mutating func run(
        _ map: JournalMap,
        through last: SequenceNumber
    ) throws(StorageError) {
        for index in map.headers.indices where map.headers[index].number >= segment {
            let header = map.headers[index]
            let end = map.end(ofIndex: index)
            guard try read(header, upTo: end, through: last) else { break }
        }
        guard root.sequenceNumber == last else {
            throw .missingCommits(
                from: root.sequenceNumber.next,
                through: last,
                path: files.directory.segmentPath(segment),
                offset: position?.offset ?? 0
            )
        }
    }

    /// - Returns: Whether the next segment comes next.
    private mutating func read(
        _ header: SegmentHeader,
        upTo end: SegmentBoundary?,
        through last: SequenceNumber
    ) throws(StorageError) -> Bool {
        let start = SegmentScanner.Position(startOf: header)
        var scanner = try SegmentScanner(
            try files.file(header.number),
            salt: header.salt,
            from: header.number == segment ? position ?? start : start,
            limit: end?.length
        )
        var root = root
        let outcome = try scanner.scan { frame, payload throws(StorageError) in
            guard frame.header.number <= last else { return false }
            try root.apply(frame, payload, segment: header.number, files: files)
            return true
        }
        self.root = root
        segment = header.number
        position = scanner.position
        guard outcome != nil else { return false }
        if let end, !scanner.position.stands(at: end) {
            throw .missingCommits(
                from: scanner.position.number.next,
                through: SequenceNumber(end.next.rawValue &- 1),
                path: scanner.path,
                offset: scanner.position.offset
            )
        }
        return true
    }

    /// Builds the indexes that the state in use has, unless it has them.
    mutating func setIndexes(_ definitions: [IndexDefinition]) throws(StorageError) {
        try root.setIndexes(definitions, reading: files)
    }
}
