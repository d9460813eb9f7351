/// What a request is made with.
public struct SyncCredentials: Hashable, Sendable {
    /// The bearer token; `nil` where the server asks for none.
    public var token: String?

    /// Credentials.
    public init(token: String? = nil) { self.token = token }
}
