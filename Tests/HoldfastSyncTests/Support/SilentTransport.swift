import HoldfastSync

/// A transport that never answers.
struct SilentTransport: SyncTransport {
    var capabilities: SyncCapabilities { .all }

    func hello(_ credentials: SyncCredentials) async throws(TransportFailure) -> ServerHello {
        throw await silence()
    }

    func push(
        _ request: PushRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> PushResponse { throw await silence() }

    func changes(
        _ request: ChangesRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> ChangesPage { throw await silence() }

    func snapshot(
        _ request: SnapshotRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> SnapshotPage { throw await silence() }

    func records(
        _ request: RecordsRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> RecordsPage { throw await silence() }

    func pokes(_ credentials: SyncCredentials) -> AsyncStream<ServerPoke> {
        AsyncStream { $0.finish() }
    }

    private func silence() async -> TransportFailure {
        try? await StoppedClock().sleep(until: .init(offset: .seconds(1)), tolerance: nil)
        return TransportFailure(.timedOut)
    }
}
