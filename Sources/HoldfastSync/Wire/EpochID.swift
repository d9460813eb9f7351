/// A history of a dataset: a server that was restored from a backup begins a new one.
public struct EpochID: Hashable, Sendable {
    /// The text of a UUID.
    public let text: String

    /// The value with this text.
    public init(_ text: String) { self.text = text }
}

extension EpochID: CustomStringConvertible {
    /// The text.
    public var description: String { text }
}
