import HoldfastStorage
import Synchronization

/// One thread that waits for the sockets of all tasks, so that no task holds a thread while it
/// waits.
///
/// It costs O(waiting sockets) each time one gets ready: what waits for hours should wait by a clock
/// instead, as feeds do.
package final class Reactor: Sendable {
    /// How a wait ended.
    enum Outcome: Sendable { case ready, timedOut, cancelled }

    private struct Waiter {
        let watched: SocketCalls.Watched
        let deadline: ContinuousClock.Instant?
        let continuation: CheckedContinuation<Outcome, Never>
    }

    private struct State {
        var next: UInt64 = 0
        var waiters: [UInt64: Waiter] = [:]
        /// Whether the thread may be asleep and has not been woken yet.
        var sleeps = false
    }

    /// A wait, which may be cancelled before it begins.
    private final class Ticket: Sendable {
        let number: UInt64
        let isCancelled = Atomic(false)

        init(_ number: UInt64) { self.number = number }
    }

    private let state = Mutex(State())
    private let pipe: (reading: Int32, writing: Int32)

    /// The reactor of this process.
    package static let shared: Result<Reactor, SocketError> = {
        do throws(SystemCallError) { return .success(try Reactor()) } catch {
            return .failure(.system(error))
        }
    }()

    private init() throws(SystemCallError) {
        pipe = try SocketCalls.wakePipe()
        try SocketCalls.startThread { [self] in run() }
    }

    /// Waits until a descriptor can be read or written, or has failed.
    ///
    /// It has to stay open until this returns.
    func wait(
        for watched: SocketCalls.Watched,
        until deadline: ContinuousClock.Instant?
    ) async -> Outcome {
        let ticket = state.withLock { state in
            state.next += 1
            return Ticket(state.next)
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = Waiter(
                    watched: watched,
                    deadline: deadline,
                    continuation: continuation
                )
                begin(ticket, waiter)
            }
        } onCancel: {
            cancel(ticket)
        }
    }

    private func begin(_ ticket: Ticket, _ waiter: Waiter) {
        let (wasCancelled, wakes) = state.withLock { state in
            // One that is cancelled from here on finds the waiter, for it takes the lock later.
            if ticket.isCancelled.load(ordering: .acquiring) { return (true, false) }
            state.waiters[ticket.number] = waiter
            defer { state.sleeps = false }
            return (false, state.sleeps)
        }
        if wasCancelled { waiter.continuation.resume(returning: .cancelled) }
        if wakes { SocketCalls.wake(pipe.writing) }
    }

    private func cancel(_ ticket: Ticket) {
        ticket.isCancelled.store(true, ordering: .releasing)
        let waiter = state.withLock { $0.waiters.removeValue(forKey: ticket.number) }
        waiter?.continuation.resume(returning: .cancelled)
    }
}

/// The thread.
extension Reactor {
    private func run() {
        while true {
            let (numbers, watched, deadline) = state.withLock { state in
                state.sleeps = true
                let entries = Array(state.waiters)
                return (
                    entries.map(\.key), entries.map(\.value.watched),
                    entries.compactMap(\.value.deadline).min()
                )
            }
            let own = SocketCalls.Watched(descriptor: pipe.reading, forWriting: false)
            let ready = SocketCalls.poll([own] + watched, timeout: Self.milliseconds(deadline))
            if ready[0] { SocketCalls.drain(pipe.reading) }
            settle(zip(numbers, ready.dropFirst()))
        }
    }

    private func settle(_ polled: some Sequence<(UInt64, Bool)>) {
        let now = ContinuousClock.now
        let ended = state.withLock { state in
            state.sleeps = false
            return polled.compactMap { number, isReady -> (Waiter, Outcome)? in
                guard let waiter = state.waiters[number] else { return nil }
                guard isReady || waiter.deadline.map({ $0 <= now }) ?? false else { return nil }
                state.waiters[number] = nil
                return (waiter, isReady ? .ready : .timedOut)
            }
        }
        for (waiter, outcome) in ended { waiter.continuation.resume(returning: outcome) }
    }

    /// The milliseconds until then, not one too few.
    private static func milliseconds(_ deadline: ContinuousClock.Instant?) -> Int32 {
        guard let deadline else { return -1 }
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { return 0 }
        let seconds = min(left.components.seconds, 1_000_000)
        let rest = left.components.attoseconds / 1_000_000_000_000_000
        return Int32(seconds * 1_000 + rest + 1)
    }
}
