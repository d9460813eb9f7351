/// A position in a scope's history; only the server that made it can read it.
public struct SyncCursor: Hashable, Sendable {
    /// Opaque text.
    public let text: String

    /// The value with this text.
    public init(_ text: String) { self.text = text }
}

extension SyncCursor: CustomStringConvertible {
    /// The text.
    public var description: String { text }
}
