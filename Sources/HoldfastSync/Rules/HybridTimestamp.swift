/// A time for ``FieldPolicy/latest(by:)`` that never goes back: the device's clock, and a count where
/// that stands still or was set back (Kulkarni et al., "Logical Physical Clocks", 2014).
///
/// Its text has a fixed width up to the node, so that the order of texts is the order of times. It is
/// only as good as the devices' clocks: one that is ahead wins until the others have caught up with
/// what they have seen of it.
///
/// ```swift
/// note.editedAt = note.editedAt.next(at: now, node: "phone")
/// ```
public struct HybridTimestamp: Hashable, Sendable {
    /// Milliseconds since 1970: 0 up to 2^48 - 1.
    public let milliseconds: Int64
    /// How many times came before in the same millisecond.
    public let count: UInt16
    /// Who made it; it tells two of one moment apart.
    public let node: String

    private static let greatest: Int64 = (1 << 48) - 1

    /// A time; milliseconds that do not fit are cut to what does.
    public init(milliseconds: Int64, count: UInt16 = 0, node: String) {
        self.milliseconds = min(max(milliseconds, 0), Self.greatest)
        self.count = count
        self.node = node
    }

    /// The time that a text is; `nil` for any other text.
    public init?(_ text: String) {
        let digits = Array(text.utf8.prefix(17))
        guard digits.count == 17, digits[16] == UInt8(ascii: "-"),
            let milliseconds = Self.number(digits[..<12]), let count = Self.number(digits[12..<16])
        else { return nil }
        self.init(
            milliseconds: milliseconds,
            count: UInt16(truncatingIfNeeded: count),
            node: String(Substring(text.utf8.dropFirst(17)))
        )
    }

    /// The time of an edit: later than this one, which is the newest that the editor has seen.
    ///
    /// - Parameters:
    ///   - milliseconds: The device's clock, in milliseconds since 1970.
    ///   - node: Who edits.
    /// - Returns: The clock's time, or the next after this one where the clock is behind it.
    public func next(at milliseconds: Int64, node: String) -> HybridTimestamp {
        if milliseconds > self.milliseconds { return Self(milliseconds: milliseconds, node: node) }
        let (next, overflows) = count.addingReportingOverflow(1)
        return overflows
            ? Self(milliseconds: self.milliseconds + 1, node: node)
            : Self(milliseconds: self.milliseconds, count: next, node: node)
    }

    /// Twelve hexadecimal digits of milliseconds, four of the count, a dash and the node.
    public var text: String {
        Self.digits(milliseconds, 12) + Self.digits(Int64(count), 4) + "-" + node
    }

    private static func digits(_ number: Int64, _ width: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// The number of digits as ``text`` has them: in lower case.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        var number: Int64 = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | Int64(digit & 15)
            case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | Int64(digit & 15) + 9
            default: return nil
            }
        }
        return number
    }
}

extension HybridTimestamp: Comparable {
    /// Whether `left` is earlier.
    public static func < (left: Self, right: Self) -> Bool {
        if left.milliseconds != right.milliseconds { return left.milliseconds < right.milliseconds }
        if left.count != right.count { return left.count < right.count }
        return left.node.utf8.lexicographicallyPrecedes(right.node.utf8)
    }
}

extension HybridTimestamp: Codable {
    /// Reads a time from its text.
    ///
    /// - Throws: `DecodingError` where the value is no such text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let time = try Self(container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "A hybrid timestamp is 16 hexadecimal digits, a dash and a node."
            )
        }
        self = time
    }

    /// Writes the time as its text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension HybridTimestamp: CustomStringConvertible {
    /// The time as text.
    public var description: String { text }
}
