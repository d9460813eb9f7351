/// The segments that stand in a store's directory, by their headers.
struct SegmentLayout {
    /// The headers of the segments that count, in order, without a gap but where segments are
    /// retired.
    private(set) var map: JournalMap
    /// The file behind the last one that has no header yet.
    var prepared: JournalReplay.Prepared?
    /// Files of retired segments, which count for nothing.
    private(set) var leftovers: [UInt32] = []

    var headers: [SegmentHeader] { map.headers }

    /// Reads every segment's header.
    ///
    /// - Throws: ``StorageError`` `.corruption` for a missing, foreign, misplaced or headless
    ///   segment, `.unsupportedVersion`.
    init(
        _ numbers: [UInt32],
        retired: RetiredSegments = RetiredSegments(),
        closedIn closed: UInt32? = nil,
        store: StoreID,
        files: SegmentFiles
    ) throws(StorageError) {
        map = JournalMap(retired: retired)
        let gone = retired.numbers
        for number in numbers {
            guard !gone.contains(number) else {
                leftovers.append(number)
                continue
            }
            try requireSuccessor(number, files: files)
            guard let header = try Self.header(of: number, files: files) else {
                prepared = try Self.blank(
                    number,
                    isLast: number == numbers.last,
                    limit: number == closed.map { $0 &+ 1 } ? 1 << 20 : .max,
                    files: files
                )
                // Another file may take the name.
                files.forget(number)
                continue
            }
            try append(header, at: number, store: store, files: files)
        }
        guard let last = headers.last else {
            throw .corruption("The store has no segment left.", path: files.directory.path)
        }
        // What is retired was given up while a segment behind it was written.
        if gone.contains(last.number &+ 1) {
            try requireSuccessor(0, files: files)
        }
    }

    private mutating func append(
        _ header: SegmentHeader,
        at number: UInt32,
        store: StoreID,
        files: SegmentFiles
    ) throws(StorageError) {
        let path = files.directory.segmentPath(number)
        guard header.store == store else {
            throw .corruption("The segment belongs to another store.", path: path, offset: 32)
        }
        guard header.number == number else {
            throw .corruption(
                "The file is segment \(header.number) under the name of segment \(number).",
                path: path,
                offset: 48
            )
        }
        map.headers.append(header)
    }

    private func requireSuccessor(
        _ number: UInt32,
        files: SegmentFiles
    ) throws(StorageError) {
        let expected = map.retired.next(after: headers.last?.number ?? 0)
        guard number == expected else {
            throw .corruption(
                "Segment \(expected) is missing.",
                path: files.directory.segmentPath(expected)
            )
        }
    }

    private static func header(
        of number: UInt32,
        files: SegmentFiles
    ) throws(StorageError) -> SegmentHeader? {
        let file = try files.file(number)
        let bytes = try describing("Reading the journal") { () throws(SystemCallError) in
            try file.read(count: DoubledRecord.byteCount, at: 0)
        }
        return try unsafe SegmentHeader.parse(bytes.span.bytes, path: file.path)
    }

    /// A file without a header is the next segment in the making if it holds nothing: a header is
    /// synced before the first frame behind it is written.
    ///
    /// Where the store was closed in the segment before, the file is not read to its end.
    private static func blank(
        _ number: UInt32,
        isLast: Bool,
        limit: Int,
        files: SegmentFiles
    ) throws(StorageError) -> JournalReplay.Prepared {
        switch try files.content(of: number, upTo: limit) {
        case .nothing: return .blank(number)
        case .header where isLast: return .torn(number)
        default:
            throw .corruption(
                "Both copies of the segment's header are damaged.",
                path: files.directory.segmentPath(number),
                offset: 0
            )
        }
    }
}
