import Synchronization

/// One commit's place in the queue, and how its task learns what became of it.
final class CommitWaiter: Sendable {
    enum Outcome {
        /// It is durable at its level, and published.
        case done
        case failed(StorageError)
        /// It has to write the next group, for itself and all that wait.
        case lead
    }

    @safe
    private enum State {
        case pending
        case waiting(UnsafeContinuation<Outcome, Never>)
        case resolved(Outcome)
    }

    /// Its position among all that were put into the queue.
    let ticket: UInt64
    private let state = Mutex(State.pending)

    init(ticket: UInt64) { self.ticket = ticket }

    func resolve(_ outcome: Outcome) {
        let continuation: UnsafeContinuation<Outcome, Never>? = unsafe state.withLock { state in
            if case .waiting(let continuation) = state {
                state = .resolved(outcome)
                return unsafe continuation
            }
            state = .resolved(outcome)
            return nil
        }
        unsafe continuation?.resume(returning: outcome)
    }

    func outcome() async -> Outcome {
        if case .resolved(let outcome) = state.withLock({ $0 }) { return outcome }
        return await unsafe withUnsafeContinuation { continuation in
            let outcome: Outcome? = state.withLock { state in
                if case .resolved(let outcome) = state { return outcome }
                unsafe state = .waiting(continuation)
                return nil
            }
            if let outcome { unsafe continuation.resume(returning: outcome) }
        }
    }
}
