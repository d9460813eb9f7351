extension Timestamp {
    /// Reads any timestamp of RFC 3339: any offset, any number of digits of fraction.
    ///
    /// A leap second is the first second of the next minute. Digits behind the ninth are cut.
    init?(rfc3339 text: ByteView) {
        guard let local = Self.localSeconds(text) else { return nil }
        seconds = local
        nanoseconds = 0
        var position = 19
        if position < text.count, text[position] == UInt8(ascii: ".") {
            let start = position + 1
            position = start
            while position < text.count, text[position] &- UInt8(ascii: "0") < 10 { position += 1 }
            guard position > start else { return nil }
            nanoseconds = Self.fraction(text[start..<position])
        }
        guard let offset = Self.offset(text[position..<text.count]) else { return nil }
        seconds -= offset
        guard Self.secondsRange.contains(seconds) else { return nil }
    }

    /// Reads a timestamp in UTC with 0, 3, 6 or 9 digits of fraction; `nil` unless it is exactly
    /// the text that ``write(fractionDigits:to:)`` writes.
    init?(canonical text: ByteView, fractionDigits: Int) {
        guard text.count == Self.textLength(fractionDigits: fractionDigits),
            text[10] == UInt8(ascii: "T"), text[text.count - 1] == UInt8(ascii: "Z"),
            let local = Self.localSeconds(text, allowsLeapSecond: false)
        else { return nil }
        seconds = local
        nanoseconds = 0
        guard fractionDigits > 0 else { return }
        guard text[19] == UInt8(ascii: "."),
            let fraction = Self.number(text, 20..<(20 + fractionDigits))
        else { return nil }
        nanoseconds = fraction * Self.nanoseconds(inUnitOf: fractionDigits)
    }

    /// The seconds of date and time, the first 19 bytes, without the offset from UTC.
    private static func localSeconds(_ text: ByteView, allowsLeapSecond: Bool = true) -> Int? {
        guard text.count >= 20,
            text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            text[10] | 0x20 == UInt8(ascii: "t"),
            text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
            let year = number(text, 0..<4), let month = number(text, 5..<7),
            let day = number(text, 8..<10), let hour = number(text, 11..<13), hour < 24,
            let minute = number(text, 14..<16), minute < 60,
            let second = number(text, 17..<19), second < (allowsLeapSecond ? 61 : 60),
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        return date.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second
    }

    /// The seconds that local time is ahead of UTC: `Z`, `+02:00`.
    private static func offset(_ text: ByteView) -> Int? {
        if text.count == 1 { return text[0] | 0x20 == UInt8(ascii: "z") ? 0 : nil }
        guard text.count == 6, text[3] == UInt8(ascii: ":"),
            let hour = number(text, 1..<3), hour < 24,
            let minute = number(text, 4..<6), minute < 60
        else { return nil }
        switch text[0] {
        case UInt8(ascii: "+"): return hour * 3_600 + minute * 60
        case UInt8(ascii: "-"): return -(hour * 3_600 + minute * 60)
        default: return nil
        }
    }

    private static func fraction(_ digits: ByteView) -> Int {
        var value = 0
        for position in 0..<9 {
            let digit = position < digits.count ? digits[position] &- UInt8(ascii: "0") : 0
            value = value * 10 + Int(digit)
        }
        return value
    }

    @inline(__always)
    private static func number(_ text: ByteView, _ range: Range<Int>) -> Int? {
        var value = 0
        for position in range {
            let digit = text[position] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value &* 10 &+ Int(digit)
        }
        return value
    }
}
