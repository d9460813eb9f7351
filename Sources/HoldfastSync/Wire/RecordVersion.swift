/// A state of a record on the server: a number from one counter for the whole dataset, never used
/// twice.
///
/// A greater number is a newer state, also of a record that was purged and lives again.
public struct RecordVersion: Hashable, Comparable, Sendable {
    /// The number: 1 or more.
    public let number: Int64

    /// The version with a number.
    public init(_ number: Int64) { self.number = number }

    /// Whether `left` is older.
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

extension RecordVersion: CustomStringConvertible {
    /// The number in decimal digits.
    public var description: String { String(number) }
}
