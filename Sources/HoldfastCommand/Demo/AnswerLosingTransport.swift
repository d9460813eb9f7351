import HoldfastNetwork
import HoldfastSync
import Synchronization

/// A transport that loses the answer to its first push, when the server has done what it asks.
///
/// A pull beside the push may bring the change back sooner than the answer: that is lost as well.
final class AnswerLosingTransport: SyncTransport {
    private let base: SocketTransport
    private let loss: Mutex<(@Sendable () -> Void)?>
    private let losesAnswers: Bool
    /// Ends when the answer is lost.
    let untilLost: AsyncStream<Void>
    private let lost: AsyncStream<Void>.Continuation
    private let count = Atomic(0)

    /// - Parameters:
    ///   - base: How requests reach the server.
    ///   - loss: What happens between the effect and the answer; `nil` loses none.
    init(_ base: SocketTransport, loss: (@Sendable () -> Void)?) {
        self.base = base
        losesAnswers = loss != nil
        self.loss = Mutex(loss)
        (untilLost, lost) = AsyncStream.makeStream()
    }

    /// The changes that the server knew already.
    var known: Int { count.load(ordering: .acquiring) }

    var capabilities: SyncCapabilities { base.capabilities }

    func hello(_ credentials: SyncCredentials) async throws(TransportFailure) -> ServerHello {
        try await base.hello(credentials)
    }

    func push(
        _ request: PushRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> PushResponse {
        let response = try await base.push(request, credentials)
        let lose = loss.withLock { loss in
            let taken = loss
            loss = nil
            return taken
        }
        if let lose {
            lose()
            lost.finish()
            throw TransportFailure(.unreachable)
        }
        note(response.results.count { $0.status == .replayed })
        return response
    }

    func changes(
        _ request: ChangesRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> ChangesPage {
        let page = try await base.changes(request, credentials)
        let known = page.changes.reduce(0) { $0 + $1.mine.count }
        if losesAnswers, known > 0 { throw TransportFailure(.unreachable) }
        note(known)
        return page
    }

    func snapshot(
        _ request: SnapshotRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> SnapshotPage {
        try await base.snapshot(request, credentials)
    }

    func records(
        _ request: RecordsRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> RecordsPage {
        try await base.records(request, credentials)
    }

    func pokes(_ credentials: SyncCredentials) -> AsyncStream<ServerPoke> {
        base.pokes(credentials)
    }

    private func note(_ more: Int) { count.wrappingAdd(more, ordering: .releasing) }
}
