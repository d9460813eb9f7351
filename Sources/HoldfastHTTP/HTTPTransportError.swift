import Foundation

/// Why a transport cannot be made; nothing was sent.
public struct HTTPTransportError: Error, Hashable, Sendable {
    /// The URL, without the user and the password that it may have been given with.
    public let url: String
    /// What is wrong with it.
    public let reason: String

    init(url: URL, reason: String) {
        var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        components?.user = nil
        components?.password = nil
        self.url = components?.string ?? ""
        self.reason = reason
    }
}

extension HTTPTransportError: CustomStringConvertible {
    /// The URL and what is wrong with it.
    public var description: String { "The base URL '\(url)' \(reason)." }
}
