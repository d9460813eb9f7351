/// A request that was answered, without anything of its contents.
public struct AccessRecord: Hashable, Sendable {
    /// When the response was sent, in milliseconds since 1970.
    public let time: Int64
    /// Whom it was made for; `nil` where nobody knows.
    public let principal: Principal?
    /// The method; empty where the request could not be read.
    public let method: String
    /// The path without its query, which may name records; empty where it could not be read.
    public let path: String
    /// The status of the response.
    public let status: Int
    /// The bytes of its body.
    public let bytes: Int
    /// The time from the request's head to the response's end.
    public let duration: Duration
}
