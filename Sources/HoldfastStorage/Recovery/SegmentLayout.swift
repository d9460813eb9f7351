/// The segments that stand in a store's directory, by their headers.
struct SegmentLayout {
    /// The headers, in order, without a gap.
    var headers: [SegmentHeader] = []
    /// The file behind the last one that has no header yet.
    var prepared: JournalReplay.Prepared?

    /// Reads every segment's header.
    ///
    /// - Throws: ``StorageError`` `.corruption` for a missing, foreign, misplaced or headless
    ///   segment, `.unsupportedVersion`.
    init(
        _ numbers: [UInt32],
        store: StoreID,
        files: SegmentFiles
    ) throws(StorageError) {
        for number in numbers {
            let path = files.directory.segmentPath(number)
            try requireSuccessor(number, files: files)
            guard let header = try Self.header(of: number, files: files) else {
                prepared = try Self.blank(number, isLast: number == numbers.last, files: files)
                // Another file may take the name.
                files.forget(number)
                continue
            }
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
            headers.append(header)
        }
        if headers.isEmpty {
            throw .corruption("The store has no segment left.", path: files.directory.path)
        }
    }

    private func requireSuccessor(
        _ number: UInt32,
        files: SegmentFiles
    ) throws(StorageError) {
        let expected = UInt32(headers.count) + 1
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
    private static func blank(
        _ number: UInt32,
        isLast: Bool,
        files: SegmentFiles
    ) throws(StorageError) -> JournalReplay.Prepared {
        switch try files.content(of: number) {
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
