import Synchronization

/// The greatest published number, and who waits for a greater one.
package final class CommitSignal: Sendable {
    private let state: Mutex<CommitWaiters>

    /// A signal that stands at `number`.
    package init(at number: SequenceNumber = .zero) {
        state = Mutex(CommitWaiters(published: number))
    }

    /// The number of tasks that wait.
    package var waitingCount: Int { state.withLock { $0.waitingCount } }

    /// Wakes everyone who waits for a number that is now reached; a lower number changes nothing.
    package func publish(_ number: SequenceNumber) {
        for continuation in state.withLock({ $0.publish(number) }) {
            continuation.resume(returning: number)
        }
    }

    /// Makes every waiting and every later `wait` throw `.closed`.
    package func close() {
        for continuation in state.withLock({ $0.close() }) {
            continuation.resume(throwing: Self.closedError)
        }
    }

    /// Waits until a number after `number` is published.
    ///
    /// - Returns: The greatest published number.
    /// - Throws: `CancellationError`, or ``StorageError`` `.closed`.
    package func wait(after number: SequenceNumber) async throws -> SequenceNumber {
        try Task.checkCancellation()
        let ticket = state.withLock { $0.ticket() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { $0.wait(ticket, after: number, continuation) }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            state.withLock { $0.cancel(ticket) }?.resume(throwing: CancellationError())
        }
    }

    fileprivate static var closedError: StorageError {
        StorageError(.closed, "The store is closed; open it again.")
    }
}

/// Who waits for which number; it returns what to resume, and the signal does it outside the lock.
private struct CommitWaiters {
    typealias Continuation = CheckedContinuation<SequenceNumber, any Error>

    private enum Waiter {
        /// Has a ticket, and no continuation yet.
        case reserved
        case waiting(after: SequenceNumber, Continuation)
    }

    private var published: SequenceNumber
    private var isClosed = false
    private var nextTicket: UInt64 = 0
    /// A ticket that is missing here was cancelled, or is done with.
    private var waiters: [UInt64: Waiter] = [:]

    init(published: SequenceNumber) { self.published = published }

    var waitingCount: Int { waiters.count }

    mutating func ticket() -> UInt64 {
        defer { nextTicket += 1 }
        waiters[nextTicket] = .reserved
        return nextTicket
    }

    /// - Returns: What the caller resumes with at once; `nil` when it has to wait.
    mutating func wait(
        _ ticket: UInt64,
        after number: SequenceNumber,
        _ continuation: Continuation
    ) -> Result<SequenceNumber, any Error>? {
        guard waiters.removeValue(forKey: ticket) != nil else {
            return .failure(CancellationError())
        }
        if isClosed { return .failure(CommitSignal.closedError) }
        if published > number { return .success(published) }
        waiters[ticket] = .waiting(after: number, continuation)
        return nil
    }

    mutating func cancel(_ ticket: UInt64) -> Continuation? {
        guard case .waiting(_, let continuation) = waiters.removeValue(forKey: ticket) else {
            return nil
        }
        return continuation
    }

    mutating func publish(_ number: SequenceNumber) -> [Continuation] {
        guard number > published else { return [] }
        published = number
        return take { $0 < number }
    }

    mutating func close() -> [Continuation] {
        isClosed = true
        return take { _ in true }
    }

    private mutating func take(where isDue: (SequenceNumber) -> Bool) -> [Continuation] {
        var due: [Continuation] = []
        for case (let ticket, .waiting(let number, let continuation)) in waiters where isDue(number)
        {
            waiters[ticket] = nil
            due.append(continuation)
        }
        return due
    }
}
