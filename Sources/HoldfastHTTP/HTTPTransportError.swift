/// Why a transport cannot be made; nothing was sent.
public struct HTTPTransportError: Error, Hashable, Sendable {
    /// The URL as it was given.
    public let url: String
    /// What is wrong with it.
    public let reason: String
}

extension HTTPTransportError: CustomStringConvertible {
    /// The URL and what is wrong with it.
    public var description: String { "The base URL '\(url)' \(reason)." }
}
