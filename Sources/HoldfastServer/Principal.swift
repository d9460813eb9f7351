/// Who a request is made for: a user, as the server's authentication knows them.
public struct Principal: Hashable, Sendable {
    /// 1 to 255 bytes of UTF-8 without control characters, never used for anybody else.
    public let id: String

    /// The principal with an id.
    public init(_ id: String) { self.id = id }
}
