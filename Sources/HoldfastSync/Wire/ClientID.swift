/// A replica as the server knows it: minted by the replica, and anew when it was restored from a backup.
public struct ClientID: Hashable, Sendable {
    /// The text of a UUID.
    public let text: String

    /// The value with this text.
    public init(_ text: String) { self.text = text }
}

extension ClientID: CustomStringConvertible {
    /// The text.
    public var description: String { text }
}
