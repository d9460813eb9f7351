/// Reads the scalars of UTF-8 that is not trusted: what is damaged reads as U+FFFD, a byte at a
/// time.
struct ScalarReader {
    private let bytes: ByteView
    private(set) var position = 0

    init(_ bytes: ByteView) { self.bytes = bytes }

    /// The next scalar, without going on to what is behind it.
    func peek() -> Unicode.Scalar? {
        var copy = self
        return copy.next()
    }

    /// Reads an ASCII letter or digit, and gives it in lower case; nothing where another scalar is
    /// next.
    @inline(__always)
    mutating func nextPlainLetter() -> UInt8? {
        guard position < bytes.count else { return nil }
        let byte = bytes[position]
        guard byte | 0x20 &- 0x61 < 26 || byte &- 0x30 < 10 else { return nil }
        position += 1
        return byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    mutating func next() -> Unicode.Scalar? {
        guard position < bytes.count else { return nil }
        let first = bytes[position]
        if first < 0x80 {
            position += 1
            return Unicode.Scalar(first)
        }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard first >= 0xC2, first < 0xF5, length <= bytes.count - position else { return skip() }
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for offset in 1..<length {
            let byte = bytes[position + offset]
            guard byte & 0xC0 == 0x80 else { return skip() }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        guard let scalar = Unicode.Scalar(value), value >= [0, 0, 0x80, 0x800, 0x1_0000][length]
        else { return skip() }
        position += length
        return scalar
    }

    private mutating func skip() -> Unicode.Scalar {
        position += 1
        return "\u{FFFD}"
    }
}
