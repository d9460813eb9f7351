import Synchronization

/// Lets one writer in at a time, in the order in which they asked.
///
/// A waiting task is suspended and holds no thread. Every successful `enter` is paired with one
/// `leave`.
package final class WriterGate: Sendable {
    private let queue = Mutex(WriterQueue())

    /// An open gate.
    package init() {}

    /// The number of tasks that wait.
    package var waitingCount: Int { queue.withLock { $0.waitingCount } }

    /// Waits for this task's turn.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before its turn; it then has no
    ///   turn and must not `leave`.
    package func enter() async throws {
        try Task.checkCancellation()
        guard let ticket = queue.withLock({ $0.take() }) else { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.withLock { $0.wait(ticket, continuation) }?.perform()
            }
        } onCancel: {
            queue.withLock { $0.cancel(ticket) }?.perform()
        }
    }

    /// Waits for this task's turn, even when the task is cancelled: for closing.
    package func enterIgnoringCancellation() async {
        guard let ticket = queue.withLock({ $0.take() }) else { return }
        // Nothing cancels this ticket, so its continuation never throws.
        try? await withCheckedThrowingContinuation { continuation in
            queue.withLock { $0.wait(ticket, continuation) }?.perform()
        }
    }

    /// Ends this task's turn and lets the next one in.
    package func leave() {
        queue.withLock { $0.leave() }?.perform()
    }
}

/// Who has the turn and who waits: it returns what to resume, and the gate does it outside the
/// lock.
private struct WriterQueue {
    typealias Continuation = CheckedContinuation<Void, any Error>

    struct Resumption {
        let continuation: Continuation
        let isAdmitted: Bool

        func perform() {
            if isAdmitted {
                continuation.resume()
            } else {
                continuation.resume(throwing: CancellationError())
            }
        }
    }

    private enum Place {
        /// Has its position in the order, and no continuation yet.
        case reserved
        case waiting(Continuation)
        /// Got its turn before its continuation was there.
        case admitted
    }

    private var isHeld = false
    private var nextTicket: UInt64 = 0
    private var nextServed: UInt64 = 0
    /// A ticket that is missing here was cancelled, or is done with.
    private var places: [UInt64: Place] = [:]

    var waitingCount: Int { places.count }

    /// Takes the turn (`nil`), or a position behind everyone who asked before.
    mutating func take() -> UInt64? {
        guard isHeld else {
            isHeld = true
            return nil
        }
        defer { nextTicket += 1 }
        places[nextTicket] = .reserved
        return nextTicket
    }

    mutating func wait(_ ticket: UInt64, _ continuation: Continuation) -> Resumption? {
        switch places[ticket] {
        case .reserved:
            places[ticket] = .waiting(continuation)
            return nil
        case .admitted:
            places[ticket] = nil
            return Resumption(continuation: continuation, isAdmitted: true)
        case .waiting, nil:
            return Resumption(continuation: continuation, isAdmitted: false)
        }
    }

    mutating func cancel(_ ticket: UInt64) -> Resumption? {
        switch places[ticket] {
        case .reserved:
            places[ticket] = nil
            return nil
        case .waiting(let continuation):
            places[ticket] = nil
            return Resumption(continuation: continuation, isAdmitted: false)
        case .admitted, nil:
            // It has its turn already, and gives it up itself.
            return nil
        }
    }

    mutating func leave() -> Resumption? {
        while nextServed < nextTicket {
            let ticket = nextServed
            nextServed += 1
            switch places[ticket] {
            case .reserved:
                places[ticket] = .admitted
                return nil
            case .waiting(let continuation):
                places[ticket] = nil
                return Resumption(continuation: continuation, isAdmitted: true)
            case .admitted, nil:
                continue
            }
        }
        isHeld = false
        return nil
    }
}
