/// A point in time, to the nanosecond, as RFC 3339 writes it.
struct Timestamp: Equatable {
    /// Whole seconds since the start of 1970 in UTC, without leap seconds.
    var seconds: Int
    /// What comes on top, from 0 to 999,999,999.
    var nanoseconds: Int

    init(seconds: Int, nanoseconds: Int) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// The time so many nanoseconds after the start of 1970.
    init(nanoseconds: Int64) {
        (seconds, self.nanoseconds) = Int(nanoseconds).flooringDivision(by: 1_000_000_000)
    }

    /// The earliest and the latest second that has a year of four digits.
    static let secondsRange = -62_167_219_200...253_402_300_799

    /// The length of the text with so many digits of fraction.
    static func textLength(fractionDigits: Int) -> Int {
        fractionDigits == 0 ? 20 : 21 + fractionDigits
    }

    /// Writes the text in UTC with so many digits of fraction (0, 3, 6 or 9).
    func write(fractionDigits: Int, to text: inout MutableSpan<UInt8>) {
        let (days, secondOfDay) = seconds.flooringDivision(by: 86_400)
        let date = CivilDate(daysSince1970: days)
        Self.write(date.year, 4, to: &text, at: 0)
        text[4] = UInt8(ascii: "-")
        Self.write(date.month, 2, to: &text, at: 5)
        text[7] = UInt8(ascii: "-")
        Self.write(date.day, 2, to: &text, at: 8)
        text[10] = UInt8(ascii: "T")
        Self.write(secondOfDay / 3_600, 2, to: &text, at: 11)
        text[13] = UInt8(ascii: ":")
        Self.write(secondOfDay / 60 % 60, 2, to: &text, at: 14)
        text[16] = UInt8(ascii: ":")
        Self.write(secondOfDay % 60, 2, to: &text, at: 17)
        if fractionDigits > 0 {
            text[19] = UInt8(ascii: ".")
            let unit = Self.nanoseconds(inUnitOf: fractionDigits)
            Self.write(nanoseconds / unit, fractionDigits, to: &text, at: 20)
        }
        text[Self.textLength(fractionDigits: fractionDigits) - 1] = UInt8(ascii: "Z")
    }

    /// How many nanoseconds the last digit of a fraction with 0, 3, 6 or 9 digits is worth.
    static func nanoseconds(inUnitOf fractionDigits: Int) -> Int {
        switch fractionDigits {
        case 9: 1
        case 6: 1_000
        case 3: 1_000_000
        default: 1_000_000_000
        }
    }

    private static func write(
        _ number: Int,
        _ digits: Int,
        to text: inout MutableSpan<UInt8>,
        at position: Int
    ) {
        var rest = number
        for offset in (0..<digits).reversed() {
            text[position + offset] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }
}

extension Int {
    /// The quotient rounded down, and the remainder, which is never negative.
    func flooringDivision(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
