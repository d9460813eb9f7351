/// A question to an API: a path below its base URL, and parameters.
public struct RESTRequest: Hashable, Sendable {
    /// The parts of the path between its slashes, not escaped.
    public var path: [String]
    /// The parameters, not escaped; they are sent in the order of their names.
    public var query: [String: String]

    /// A question such as `RESTRequest("changes", query: ["since": "7"])`.
    public init(_ path: String..., query: [String: String] = [:]) {
        self.path = path
        self.query = query
    }
}
