/// The name of one mutation for ever: minted when it is queued, and its idempotency key on the wire.
public struct MutationKey: Hashable, Sendable {
    /// The text of a UUID.
    public let text: String

    /// The value with this text.
    public init(_ text: String) { self.text = text }
}

extension MutationKey: CustomStringConvertible {
    /// The text.
    public var description: String { text }
}
