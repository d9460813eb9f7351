import Synchronization

/// Who is told of commits that were recorded.
final class CommitListeners: Sendable {
    private struct State {
        var last = 0
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private let state = Mutex(State())

    /// A stream that has an element after one or more commits.
    func stream() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let number = state.withLock { state in
            state.last += 1
            state.listeners[state.last] = continuation
            return state.last
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    func tell() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield() }
    }
}

extension Store {
    /// Tells that transactions which may have been recorded were committed: once for all since it
    /// was last asked.
    package func recordedCommits() -> AsyncStream<Void> { listeners.stream() }
}
