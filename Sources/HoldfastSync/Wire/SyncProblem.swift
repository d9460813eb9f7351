/// Why a server did not do what it was asked: a problem of RFC 9457.
public struct SyncProblem: Error, Hashable, Sendable {
    /// The kind of problem, which a program can match on.
    public var type: String
    /// What happened, for a person.
    public var detail: String
    /// The field that it is about, as a JSON pointer (RFC 6901) into `fields`.
    public var pointer: String?

    /// A problem.
    public init(type: String, detail: String, pointer: String? = nil) {
        self.type = type
        self.detail = detail
        self.pointer = pointer
    }
}
