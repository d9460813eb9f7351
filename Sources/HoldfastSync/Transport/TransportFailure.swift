/// Why a request got no answer of the protocol.
public struct TransportFailure: Error, Hashable, Sendable {
    /// The kinds of failure.
    public enum Kind: Hashable, Sendable {
        /// No server answered: no network, no such host, a refused or broken connection.
        case unreachable
        /// No answer came in time. Whether the server did what it was asked is unknown.
        case timedOut
        /// Something answered that is not the server: a captive portal.
        case foreign
        /// The server refused the request as a whole, with this HTTP status.
        case refused(status: Int)
        /// The server answered against the protocol.
        case invalid
    }

    /// The kind.
    public var kind: Kind
    /// What the server said.
    public var problem: SyncProblem?
    /// How long the server asks to wait.
    public var retryAfter: Duration?

    /// A failure.
    public init(_ kind: Kind, problem: SyncProblem? = nil, retryAfter: Duration? = nil) {
        self.kind = kind
        self.problem = problem
        self.retryAfter = retryAfter
    }
}

extension TransportFailure: CustomStringConvertible {
    /// The kind and what the server said.
    public var description: String {
        let reason =
            switch kind {
            case .unreachable: "the server cannot be reached"
            case .timedOut: "the server did not answer in time"
            case .foreign: "something else than the server answered"
            case .refused(let status): "the server refused the request with status \(status)"
            case .invalid: "the server's answer is not valid"
            }
        return problem.map { "\(reason): \($0.detail)" } ?? reason
    }
}
