import Holdfast
public import HoldfastSync

/// Why a server does not answer a request: nothing of it was done.
public struct ServerRefusal: Error, Hashable, Sendable {
    /// The status of HTTP that says so.
    public let status: Int
    /// Why.
    public let problem: SyncProblem
    /// How long the client should wait.
    public let retryAfter: Duration?

    /// A refusal.
    public init(status: Int, problem: SyncProblem, retryAfter: Duration? = nil) {
        self.status = status
        self.problem = problem
        self.retryAfter = retryAfter
    }

    init(_ status: Int, _ type: String, _ detail: String) {
        self.init(status: status, problem: SyncProblem(type: type, detail: detail))
    }
}

extension ServerRefusal: CustomStringConvertible {
    /// The status and why.
    public var description: String { "\(status): \(problem.detail)" }
}

extension ServerRefusal {
    /// What a failure inside of the server is to a client.
    init(_ error: any Error) {
        switch error {
        case let refusal as ServerRefusal: self = refusal
        case is CancellationError:
            self.init(503, "about:blank", "The server is about to stop; nothing was done.")
        case let error as StoreError:
            self.init(500, "about:blank", "The server's store failed: \(error.message)")
        default:
            self.init(500, "about:blank", "The server failed; nothing was done.")
        }
    }

    /// Runs `body` with every failure as a refusal.
    static func refusing<Result>(
        _ body: () throws -> Result
    ) throws(ServerRefusal) -> Result {
        do { return try body() } catch { throw ServerRefusal(error) }
    }
}
