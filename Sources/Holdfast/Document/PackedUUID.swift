/// The 16 bytes of a UUID that is written in lower case: `0190a5c4-7e2f-7d3a-8b1c-0242ac120002`.
///
/// They order as the texts do.
struct PackedUUID: Hashable, Comparable, Sendable {
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
            text[8] == Self.dash, text[13] == Self.dash, text[18] == Self.dash,
            text[23] == Self.dash,
            let first = Self.number(text.load(UInt64.self, at: 0)),
            let second = Self.number(Self.join(text, 9, 14)),
            let third = Self.number(Self.join(text, 19, 24)),
            let fourth = Self.number(text.load(UInt64.self, at: 28))
        else { return nil }
        high = UInt64(first) << 32 | UInt64(second)
        low = UInt64(third) << 32 | UInt64(fourth)
    }

    private static var dash: UInt8 { UInt8(ascii: "-") }
    private static var ones: UInt64 { 0x0101_0101_0101_0101 }

    /// Twice four characters, as if they stood together.
    @inline(__always)
    private static func join(_ text: ByteView, _ first: Int, _ second: Int) -> UInt64 {
        UInt64(text.load(UInt32.self, at: first))
            | UInt64(text.load(UInt32.self, at: second)) << 32
    }

    /// The number of eight digits, the first in the lowest byte; all eight at a time.
    @inline(__always)
    private static func number(_ digits: UInt64) -> UInt32? {
        let isLetter = digits >> 6 & ones
        let values = (digits & (0x0F * ones)) &+ 9 &* isLetter
        guard values & (0xF0 * ones) == 0, Self.digits(ofValues: values) == digits else {
            return nil
        }
        var number = values.byteSwapped
        number = (number | number >> 4) & 0x00FF_00FF_00FF_00FF
        number = (number | number >> 8) & 0x0000_FFFF_0000_FFFF
        return UInt32(truncatingIfNeeded: number | number >> 16)
    }

    /// The eight digits of a number, the first in the lowest byte.
    @inline(__always)
    private static func digits(_ number: UInt32) -> UInt64 {
        var values = UInt64(number)
        values = (values | values << 16) & 0x0000_FFFF_0000_FFFF
        values = (values | values << 8) & 0x00FF_00FF_00FF_00FF
        values = (values | values << 4) & (0x0F * ones)
        return digits(ofValues: values.byteSwapped)
    }

    @inline(__always)
    private static func digits(ofValues values: UInt64) -> UInt64 {
        let isLetter = (values &+ 6 &* ones) >> 4 & ones
        return values &+ 0x30 &* ones &+ 39 &* isLetter
    }

    static func < (first: PackedUUID, second: PackedUUID) -> Bool {
        (first.high, first.low) < (second.high, second.low)
    }

    /// Writes the canonical text.
    func write(to text: inout MutableSpan<UInt8>) {
        precondition(text.count >= Self.textLength)
        let second = Self.digits(UInt32(truncatingIfNeeded: high))
        let third = Self.digits(UInt32(truncatingIfNeeded: low >> 32))
        let fourth = Self.digits(UInt32(truncatingIfNeeded: low))
        Self.store(Self.digits(UInt32(truncatingIfNeeded: high >> 32)), to: &text, at: 0)
        Self.store(UInt32(truncatingIfNeeded: second), to: &text, at: 9)
        Self.store(UInt32(truncatingIfNeeded: second >> 32), to: &text, at: 14)
        Self.store(UInt32(truncatingIfNeeded: third), to: &text, at: 19)
        Self.store(UInt32(truncatingIfNeeded: third >> 32), to: &text, at: 24)
        Self.store(fourth, to: &text, at: 28)
        text[8] = Self.dash
        text[13] = Self.dash
        text[18] = Self.dash
        text[23] = Self.dash
    }

    @inline(__always)
    private static func store<Integer: FixedWidthInteger & BitwiseCopyable>(
        _ digits: Integer,
        to text: inout MutableSpan<UInt8>,
        at position: Int
    ) {
        var bytes = unsafe text.mutableBytes
        bytes.storeBytes(of: digits.littleEndian, toByteOffset: position, as: Integer.self)
    }
}
