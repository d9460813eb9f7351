/// A small record that a file holds twice, 4,096 bytes apart, so that one damaged or torn sector
/// cannot take it away (FORMAT.md, "Doubled records").
enum DoubledRecord {
    /// The distance between the two copies.
    static let stride = 4_096
    /// What the two copies take: everything else starts behind.
    static let byteCount = 2 * stride

    /// The 8,192 bytes that hold `record` twice.
    static func bytes(of record: [UInt8]) -> [UInt8] {
        let padded = record + [UInt8](repeating: 0, count: stride - record.count)
        return padded + padded
    }

    /// What `parse` makes of the first copy that it accepts.
    static func parse<Record>(
        _ bytes: RawSpan,
        _ parse: (RawSpan) throws(StorageError) -> Record?
    ) throws(StorageError) -> Record? {
        for copy in 0...1 {
            let bytes = bytes.extracting(range(of: copy, in: bytes))
            if let record = try parse(bytes) { return record }
        }
        return nil
    }

    /// Where a copy stands in a file's bytes; shorter, or empty, where the file ends before.
    static func range(of copy: Int, in bytes: RawSpan) -> Range<Int> {
        let start = min(copy * stride, bytes.byteCount)
        return start..<min(start + stride, bytes.byteCount)
    }
}
