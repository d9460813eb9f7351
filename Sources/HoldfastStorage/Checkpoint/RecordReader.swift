/// Reads integers and bytes one behind the other, and nothing behind the end.
struct RecordReader {
    private let bytes: [UInt8]
    private(set) var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    /// The next integer, or `nil` where the bytes end before it does.
    mutating func next<Integer: FixedWidthInteger & BitwiseCopyable>() -> Integer? {
        let count = MemoryLayout<Integer>.size
        guard count <= bytes.count - offset else { return nil }
        defer { offset += count }
        return bytes.withRawSpan { $0.integer(at: offset) }
    }

    /// The next bytes and the zeros behind them, up to a multiple of eight.
    mutating func next(count: UInt32) -> ArraySlice<UInt8>? {
        let count = Int(count)
        let padded = (count + 7) / 8 * 8
        guard padded <= bytes.count - offset,
            bytes[offset + count..<offset + padded].allSatisfy({ $0 == 0 })
        else { return nil }
        defer { offset += padded }
        return bytes[offset..<offset + count]
    }
}
