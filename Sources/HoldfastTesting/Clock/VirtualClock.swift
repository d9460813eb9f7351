import HoldfastStorage
import Synchronization

/// A clock that stands still until a test lets time pass.
///
/// ```swift
/// let clock = VirtualClock()
/// let waiting = Task { try await clock.sleep(for: .seconds(60)) }
/// await clock.advance(by: .seconds(60))   // the task goes on, and no second has passed
/// ```
///
/// It is a `Clock` of the standard library, so that code which takes `any Clock<Duration>` can be
/// given it.
public final class VirtualClock: Clock, Sendable {
    /// A moment, counted from the clock's making.
    public struct Instant: InstantProtocol, Hashable, Sendable {
        /// The time since the clock was made.
        public let offset: Duration

        /// The moment so long after the clock's making.
        public init(_ offset: Duration) { self.offset = offset }

        /// The moment so much later.
        public func advanced(by duration: Duration) -> Self { Self(offset + duration) }

        /// The time from this moment to another.
        public func duration(to other: Self) -> Duration { other.offset - offset }

        /// Whether `left` comes first.
        public static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let number: Int
        let end: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(.zero)
        var lastNumber = 0
        var sleepers: [Sleeper] = []
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())

    /// A clock at time zero.
    public init() {}

    /// The moment at which it stands.
    public var now: Instant { state.withLock { $0.now } }

    /// No two moments are too close to tell them apart.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// How many tasks sleep on it.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Waits until the clock has been moved to a moment.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<Void, any Error>? in
                    if state.cancelled.remove(number) != nil {
                        return .failure(CancellationError())
                    }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers.append(
                        Sleeper(number: number, end: deadline, continuation: continuation)
                    )
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            cancel(number)
        }
        state.withLock { _ = $0.cancelled.remove(number) }
    }

    private func cancel(_ number: Int) {
        let sleeper = state.withLock { state -> Sleeper? in
            guard let place = state.sleepers.firstIndex(where: { $0.number == number }) else {
                state.cancelled.insert(number)
                return nil
            }
            return state.sleepers.remove(at: place)
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }

    /// Lets time pass: wakes who sleeps, one after the other in the order of their moments, also
    /// those who go to sleep again meanwhile.
    ///
    /// Between two of them other tasks get the chance to run.
    public func advance(by duration: Duration) async {
        let end = state.withLock { $0.now.advanced(by: duration) }
        await letOthersRun()
        while let sleeper = next(until: end) {
            sleeper.continuation.resume()
            await letOthersRun()
        }
        state.withLock { $0.now = max($0.now, end) }
        await letOthersRun()
    }

    private func next(until end: Instant) -> Sleeper? {
        state.withLock { state in
            let first = state.sleepers.indices.min { left, right in
                let (left, right) = (state.sleepers[left], state.sleepers[right])
                return (left.end, left.number) < (right.end, right.number)
            }
            guard let first, state.sleepers[first].end <= end else { return nil }
            state.now = max(state.now, state.sleepers[first].end)
            return state.sleepers.remove(at: first)
        }
    }

    private func letOthersRun() async {
        for _ in 0..<10 { await Task.yield() }
    }
}
