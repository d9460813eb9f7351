/// A set of records that a principal sees whole or not at all; every record is in exactly one.
public struct ScopeName: Hashable, Sendable {
    /// 1 to 255 bytes of UTF-8.
    public let text: String

    /// The value with this text.
    public init(_ text: String) { self.text = text }
}

extension ScopeName: CustomStringConvertible {
    /// The text.
    public var description: String { text }
}
