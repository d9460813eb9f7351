/// How requests reach a server.
///
/// Each method sends one request and returns the answer, or says why there is none. It does not try
/// again, keeps nothing, and gives up after a time of its own: waiting, trying again and refreshing
/// tokens are the engine's.
public protocol SyncTransport: Sendable {
    /// What it can carry.
    var capabilities: SyncCapabilities { get }

    /// Asks who is there.
    func hello(_ credentials: SyncCredentials) async throws(TransportFailure) -> ServerHello

    /// Sends mutations.
    func push(
        _ request: PushRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> PushResponse

    /// Asks for changes.
    func changes(
        _ request: ChangesRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> ChangesPage

    /// Asks for a page of a snapshot.
    func snapshot(
        _ request: SnapshotRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> SnapshotPage

    /// Asks for single records.
    func records(
        _ request: RecordsRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> RecordsPage

    /// Listens for hints; it ends when the line does.
    func pokes(_ credentials: SyncCredentials) -> AsyncStream<ServerPoke>
}
