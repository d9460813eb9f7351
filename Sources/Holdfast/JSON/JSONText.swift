/// What parser, readers and serializer have to know of JSON's bytes.
enum JSONText {
    @inline(__always)
    static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Whether a byte stands for itself inside a text.
    @inline(__always)
    static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// Where the first byte from `position` on stands that does not stand for itself.
    ///
    /// Eight bytes at a time: a byte b is below n, for n up to 0x80, where the top bit of
    /// (b - n) & ~b is set; the lowest flagged byte is always right, later ones may not be.
    static func endOfPlain(in bytes: ByteView, from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        var position = start
        while position + 8 <= bytes.count {
            let word = bytes.load(UInt64.self, at: position)
            let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
            let slashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
            let flags =
                ((word &- ones &* 0x20) & ~word)
                | ((quotes &- ones) & ~quotes)
                | ((slashes &- ones) & ~slashes)
            if flags & tops != 0 { return position + (flags & tops).trailingZeroBitCount / 8 }
            position += 8
        }
        while position < bytes.count, isPlain(bytes[position]) { position += 1 }
        return position
    }
}
