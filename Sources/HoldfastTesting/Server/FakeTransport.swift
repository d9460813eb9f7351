import HoldfastServer
public import HoldfastSync

/// A way to a ``FakeServer``, with all that goes wrong on it.
public struct FakeTransport: SyncTransport {
    private let server: FakeServer
    private let principal: Principal

    init(server: FakeServer, principal: Principal) {
        self.server = server
        self.principal = principal
    }

    /// Everything.
    public var capabilities: SyncCapabilities { .all }

    /// Asks who is there.
    public func hello(
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> ServerHello {
        guard case .hello(let answer) = try await answer(.hello, credentials) else {
            throw TransportFailure(.invalid)
        }
        return answer
    }

    /// Sends mutations.
    public func push(
        _ request: PushRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> PushResponse {
        guard case .push(let answer) = try await answer(.push(request), credentials) else {
            throw TransportFailure(.invalid)
        }
        return answer
    }

    /// Asks for changes.
    public func changes(
        _ request: ChangesRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> ChangesPage {
        guard case .changes(let answer) = try await answer(.changes(request), credentials) else {
            throw TransportFailure(.invalid)
        }
        return answer
    }

    /// Asks for a page of a snapshot.
    public func snapshot(
        _ request: SnapshotRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> SnapshotPage {
        guard case .snapshot(let answer) = try await answer(.snapshot(request), credentials) else {
            throw TransportFailure(.invalid)
        }
        return answer
    }

    /// Asks for single records.
    public func records(
        _ request: RecordsRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> RecordsPage {
        guard case .records(let answer) = try await answer(.records(request), credentials) else {
            throw TransportFailure(.invalid)
        }
        return answer
    }

    /// Listens for hints.
    public func pokes(_ credentials: SyncCredentials) -> AsyncStream<ServerPoke> {
        server.server.pokes(principal: principal)
    }

    private func answer(
        _ request: SyncRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> SyncAnswer {
        try await server.exchange(request, credentials, as: principal)
    }
}
