/// Where the last transaction ends that is known to be durable, and how what stands behind it, if
/// it is only marks, becomes so.
struct ProvenEnd {
    let directory: StoreDirectory
    let files: SegmentFiles
    let replay: JournalReplay

    private static let doing = "Recovering the end of the journal"

    /// Makes durable what stands at the journal's end, byte for byte as it is.
    ///
    /// A tear here leaves at most a mark or one copy of a header damaged, which is no loss.
    ///
    /// - Throws: ``StorageError``; the store is as it was.
    func confirm() throws(StorageError) {
        guard let last = replay.segments.last else { return }
        let start = try position(in: last.header)
        if start.offset == SegmentHeader.firstFrame { try confirmHeader(last.header) }
        guard start.offset < replay.end.offset else { return }
        try rewriting(last.header.number) { file throws(SystemCallError) in
            let count = Int(replay.end.offset - start.offset)
            let bytes = try file.read(count: count, at: start.offset)
            try unsafe file.write(bytes.span.bytes, at: start.offset)
            try file.sync()
        }
    }

    /// Makes a segment's header durable, one copy after the other.
    func confirmHeader(_ header: SegmentHeader) throws(StorageError) {
        let bytes = header.bytes()
        try rewriting(header.number) { file throws(SystemCallError) in
            let first = try file.read(count: DoubledRecord.stride, at: 0)
            // A copy that a crash has torn is the first to be made good: until then a tear of the
            // other one would leave none.
            let isTorn = first != Array(bytes.prefix(DoubledRecord.stride))
            for start in isTorn ? [0, DoubledRecord.stride] : [DoubledRecord.stride, 0] {
                let copy = unsafe bytes.span.bytes.extracting(
                    start..<start + DoubledRecord.stride
                )
                try file.write(copy, at: UInt64(start))
                try file.sync()
            }
        }
    }

    /// Behind the last transaction of the last segment that is proven.
    func position(in header: SegmentHeader) throws(StorageError) -> SegmentScanner.Position {
        let start = replay.start.flatMap { $0.segment == header.number ? $0 : nil }
        var scanner = try SegmentScanner(
            try files.file(header.number),
            salt: header.salt,
            from: start?.scanPosition ?? SegmentScanner.Position(startOf: header),
            limit: replay.end.offset
        )
        _ = try scanner.scan { frame, _ throws(StorageError) in
            if replay.isProven(frame.offset, in: header.number) { return true }
            // What is no transaction repeats the number of the one before it.
            return frame.header.kind == .transaction
                ? frame.header.number <= replay.proven : frame.header.number < replay.proven
        }
        return scanner.position
    }

    private func rewriting(
        _ segment: UInt32,
        _ body: (any File) throws(SystemCallError) -> Void
    ) throws(StorageError) {
        try describing(Self.doing) { () throws(SystemCallError) in
            let file = try directory.fileSystem.open(directory.segmentPath(segment), .readWrite)
            defer { file.close() }
            try body(file)
        }
    }
}
