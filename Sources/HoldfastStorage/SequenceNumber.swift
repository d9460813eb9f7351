/// A transaction's position in the journal: contiguous, from 1; 0 stands before the first.
public struct SequenceNumber: Hashable, Comparable, Sendable {
    /// The number itself.
    public let rawValue: UInt64

    /// The position with this number.
    public init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// The position before the first transaction.
    public static let zero = SequenceNumber(0)

    /// The number of the next transaction.
    public var next: SequenceNumber { SequenceNumber(rawValue &+ 1) }

    /// Whether `left` was committed before `right`.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension SequenceNumber: CustomStringConvertible {
    /// The number in decimal.
    public var description: String { String(rawValue) }
}
