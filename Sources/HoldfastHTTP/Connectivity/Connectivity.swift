import HoldfastStorage
public import HoldfastSync
import Synchronization

/// Tells when a network seems to have come back, as far as the system knows.
///
/// ```swift
/// let following = Task { await Connectivity().follow(with: engine) }
/// ```
///
/// It is a hint and nothing more: an engine that hears nothing tries again by its clock, and one that
/// is told asks the server, whose answer alone counts. That a network seems to be gone is told
/// nobody: a server on the same machine may answer all the same.
public struct Connectivity: Sendable {
    private let quiet: Duration
    private let hints: @Sendable () -> AsyncStream<Bool>

    /// The system's own word: network paths on Apple systems, the states of the interfaces on Linux.
    ///
    /// - Parameter quiet: How long a network has to be there before it counts, so that one that comes
    ///   and goes does not.
    public init(quiet: Duration = .seconds(1)) {
        self.init(quiet: quiet, hints: SystemConnectivity.hints)
    }

    package init(quiet: Duration, hints: @escaping @Sendable () -> AsyncStream<Bool>) {
        self.quiet = quiet
        self.hints = hints
    }

    /// The moments at which a network came back; one that is not taken is replaced by the next.
    public func reconnections() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let (quiet, hints) = (quiet, hints)
            let task = Task.detached {
                let edge = SharedEdge()
                await withTaskGroup(of: Void.self) { group in
                    for await isOnline in hints() {
                        guard let turn = edge.state.withLock({ $0.observe(isOnline) }) else {
                            continue
                        }
                        group.addTask {
                            guard (try? await Task.sleep(for: quiet)) != nil else { return }
                            if edge.state.withLock({ $0.settle(turn) }) { continuation.yield() }
                        }
                    }
                    await group.waitForAll()
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Tells an engine of each, until the task is cancelled.
    public func follow(with engine: SyncEngine) async {
        for await _ in reconnections() { engine.notify(.reconnect) }
    }
}

/// What those who wait for a turn to last have in common.
private final class SharedEdge: Sendable {
    let state = Mutex(ReconnectionEdge())
}
