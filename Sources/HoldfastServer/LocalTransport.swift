import Holdfast
public import HoldfastSync

/// A transport to a server in the same process.
public struct LocalTransport: SyncTransport {
    private let server: SyncServer
    private let principal: @Sendable (SyncCredentials) -> Principal?
    private let codes: Bool

    /// A transport to a server.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - codes: Whether every message goes through its JSON text, as over a network.
    ///   - principal: Who has a token; `nil` for nobody, which is refused with status 401. Without
    ///     one everybody is the same principal, or the one that has the token as its id.
    public init(
        server: SyncServer,
        codes: Bool = false,
        principal: @escaping @Sendable (SyncCredentials) -> Principal? = {
            Principal($0.token ?? "anyone")
        }
    ) {
        self.server = server
        self.codes = codes
        self.principal = principal
    }

    /// Everything.
    public var capabilities: SyncCapabilities { .all }

    /// Asks who is there.
    ///
    /// - Throws: `TransportFailure` `.refused`.
    public func hello(
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> ServerHello {
        let answer = try await refusing(credentials) { (principal) throws(ServerRefusal) in
            try await server.hello(principal: principal)
        }
        return codes ? try Self.decoded(answer.json) { try ServerHello(json: $0) } : answer
    }

    /// Sends mutations.
    ///
    /// - Throws: `TransportFailure` `.refused`.
    public func push(
        _ request: PushRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> PushResponse {
        let request = codes ? try Self.coded { try PushRequest(text: request.text()) } : request
        let answer = try await refusing(credentials) { (principal) throws(ServerRefusal) in
            try await server.push(request, principal: principal)
        }
        return codes ? try Self.decoded(answer.json) { try PushResponse(json: $0) } : answer
    }

    /// Asks for changes.
    ///
    /// - Throws: `TransportFailure` `.refused`.
    public func changes(
        _ request: ChangesRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> ChangesPage {
        let request = codes ? try Self.coded { try ChangesRequest(query: request.query) } : request
        let answer = try await refusing(credentials) { (principal) throws(ServerRefusal) in
            try await server.changes(request, principal: principal)
        }
        return codes ? try Self.decoded(answer.json) { try ChangesPage(json: $0) } : answer
    }

    /// Asks for a page of a snapshot.
    ///
    /// - Throws: `TransportFailure` `.refused`.
    public func snapshot(
        _ request: SnapshotRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> SnapshotPage {
        let request = codes ? try Self.coded { try SnapshotRequest(query: request.query) } : request
        let answer = try await refusing(credentials) { (principal) throws(ServerRefusal) in
            try await server.snapshot(request, principal: principal)
        }
        return codes ? try Self.decoded(answer.json) { try SnapshotPage(json: $0) } : answer
    }

    /// Asks for single records.
    ///
    /// - Throws: `TransportFailure` `.refused`.
    public func records(
        _ request: RecordsRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> RecordsPage {
        let request = codes ? try Self.coded { try RecordsRequest(query: request.query) } : request
        let answer = try await refusing(credentials) { (principal) throws(ServerRefusal) in
            try await server.records(request, principal: principal)
        }
        return codes ? try Self.decoded(answer.json) { try RecordsPage(json: $0) } : answer
    }

    /// Listens for hints; a token that nobody has hears nothing.
    public func pokes(_ credentials: SyncCredentials) -> AsyncStream<ServerPoke> {
        guard let principal = principal(credentials) else { return AsyncStream { $0.finish() } }
        return server.pokes(principal: principal)
    }
}

extension LocalTransport {
    private func refusing<Answer>(
        _ credentials: SyncCredentials,
        _ body: (Principal) async throws(ServerRefusal) -> Answer
    ) async throws(TransportFailure) -> Answer {
        guard let principal = principal(credentials) else {
            throw TransportFailure(
                .refused(status: 401),
                problem: SyncProblem(
                    type: ProblemType.unauthorized,
                    detail: "The token is missing or no longer good."
                )
            )
        }
        do throws(ServerRefusal) {
            return try await body(principal)
        } catch {
            throw TransportFailure(
                .refused(status: error.status),
                problem: error.problem,
                retryAfter: error.retryAfter
            )
        }
    }

    /// A request as the server reads it; one that it cannot read is refused.
    private static func coded<Request>(
        _ code: () throws -> Request
    ) throws(TransportFailure) -> Request {
        do {
            return try code()
        } catch {
            throw TransportFailure(
                .refused(status: 400),
                problem: SyncProblem(type: ProblemType.invalid, detail: "\(error)")
            )
        }
    }

    /// An answer as the client reads it.
    private static func decoded<Answer>(
        _ json: JSONObject,
        _ decode: (JSONObject) throws -> Answer
    ) throws(TransportFailure) -> Answer {
        do {
            return try decode(JSONObject(parsingMessage: json.serializedMessage()))
        } catch {
            throw TransportFailure(.invalid)
        }
    }
}
