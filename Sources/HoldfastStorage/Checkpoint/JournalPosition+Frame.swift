extension JournalPosition {
    private static let window: UInt64 = 1 << 20

    /// Where the frame before the position starts; 0 at the start of the frames.
    ///
    /// It is looked for backwards: its header's hash is the chain value here.
    ///
    /// - Throws: ``StorageError`` when it cannot be read, or is not there.
    func frame(_ header: SegmentHeader, _ files: SegmentFiles) throws(StorageError) -> UInt64 {
        guard offset > SegmentHeader.firstFrame else { return 0 }
        let file = try files.file(header.number)
        var end = offset
        while end > SegmentHeader.firstFrame {
            let start = max(SegmentHeader.firstFrame, end - min(Self.window, end))
            let count = Int(min(end + UInt64(FrameHeader.byteCount), offset) - start)
            let (from, salt) = (start, header.salt)
            let bytes = try describing("Writing a checkpoint") { () throws(SystemCallError) in
                try file.read(count: count, at: from)
            }
            if let found = bytes.withRawSpan({ last(in: $0, salt: salt) }) {
                return start + UInt64(found)
            }
            end = start
        }
        throw .corruption(
            "The end of the journal cannot be read back.",
            path: file.path,
            offset: offset
        )
    }

    private func last(in bytes: RawSpan, salt: UInt64) -> Int? {
        stride(from: bytes.byteCount - FrameHeader.byteCount, through: 0, by: -8).first { start in
            let header = bytes.extracting(start..<start + FrameHeader.byteCount)
            return FrameHeader.chain(after: header, salt: salt) == chain
        }
    }
}
