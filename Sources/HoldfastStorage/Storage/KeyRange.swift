/// A range of byte keys: from `lower`, which is in it, up to `upper`, which is not.
public struct KeyRange: Hashable, Sendable {
    /// The first key; empty for no lower bound.
    public var lower: [UInt8]
    /// The end, itself outside; `nil` for no upper bound.
    public var upper: [UInt8]?

    /// The keys from `lower` up to `upper`.
    public init(from lower: [UInt8] = [], upTo upper: [UInt8]? = nil) {
        self.lower = lower
        self.upper = upper
    }

    /// Every key.
    public static let all = KeyRange()

    /// Every key that begins with `bytes`.
    public static func prefix(_ bytes: [UInt8]) -> KeyRange {
        KeyRange(from: bytes, upTo: successor(ofPrefix: bytes))
    }

    /// The one key `bytes`.
    public static func exactly(_ bytes: [UInt8]) -> KeyRange {
        KeyRange(from: bytes, upTo: bytes + [0])
    }

    /// The least key above every key that begins with `bytes`, or `nil` where there is none.
    public static func successor(ofPrefix bytes: [UInt8]) -> [UInt8]? {
        var bytes = bytes
        while let last = bytes.popLast() {
            if last < .max { return bytes + [last + 1] }
        }
        return nil
    }
}
