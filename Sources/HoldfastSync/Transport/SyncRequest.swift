/// A request of the protocol.
public enum SyncRequest: Hashable, Sendable {
    /// `GET sync/hello`.
    case hello
    /// `POST sync/push`.
    case push(PushRequest)
    /// `GET sync/changes`.
    case changes(ChangesRequest)
    /// `GET sync/snapshot`.
    case snapshot(SnapshotRequest)
    /// `GET sync/records`.
    case records(RecordsRequest)
}

/// The answer to a ``SyncRequest``.
public enum SyncAnswer: Hashable, Sendable {
    /// To `hello`.
    case hello(ServerHello)
    /// To `push`.
    case push(PushResponse)
    /// To `changes`.
    case changes(ChangesPage)
    /// To `snapshot`.
    case snapshot(SnapshotPage)
    /// To `records`.
    case records(RecordsPage)
}

extension SyncTransport {
    /// Sends any request.
    public func answer(
        _ request: SyncRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> SyncAnswer {
        switch request {
        case .hello: .hello(try await hello(credentials))
        case .push(let request): .push(try await push(request, credentials))
        case .changes(let request): .changes(try await changes(request, credentials))
        case .snapshot(let request): .snapshot(try await snapshot(request, credentials))
        case .records(let request): .records(try await records(request, credentials))
        }
    }
}
