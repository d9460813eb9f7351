/// The 16 bytes of a UUID that is written in lower case: `0190a5c4-7e2f-7d3a-8b1c-0242ac120002`.
struct PackedUUID {
    static let textLength = 36

    /// The first and the last eight bytes, the byte that is written first on top.
    let high: UInt64
    let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The UUID that a text is; `nil` unless it is exactly the text that ``write(to:)`` writes.
    init?(_ text: ByteView) {
        guard text.count == Self.textLength,
            text[8] == UInt8(ascii: "-"), text[13] == UInt8(ascii: "-"),
            text[18] == UInt8(ascii: "-"), text[23] == UInt8(ascii: "-"),
            let first = Self.hex(text, 0..<8), let second = Self.hex(text, 9..<13),
            let third = Self.hex(text, 14..<18), let fourth = Self.hex(text, 19..<23),
            let fifth = Self.hex(text, 24..<36)
        else { return nil }
        high = first << 32 | second << 16 | third
        low = fourth << 48 | fifth
    }

    private static func hex(_ text: ByteView, _ range: Range<Int>) -> UInt64? {
        var value: UInt64 = 0
        for position in range {
            let byte = text[position]
            let digit = byte &- UInt8(ascii: "0")
            let letter = byte &- UInt8(ascii: "a")
            guard digit < 10 || letter < 6 else { return nil }
            value = value << 4 | UInt64(digit < 10 ? digit : letter &+ 10)
        }
        return value
    }

    /// Writes the text into ``textLength`` bytes.
    func write(to text: inout MutableSpan<UInt8>) {
        var position = 0
        for nibble in 0..<32 {
            if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 {
                text[position] = UInt8(ascii: "-")
                position += 1
            }
            let half = nibble < 16 ? high : low
            let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (nibble & 15))) & 15
            text[position] = digit &+ (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
            position += 1
        }
    }
}
