/// The seam between the engine and time: work that has to be done a little later.
///
/// Nothing that is stored, and no order, ever depends on it.
public protocol Scheduler: Sendable {
    /// Runs `work` once, no earlier than `delay` from now, on no particular thread.
    func schedule(after delay: Duration, _ work: @escaping @Sendable () async -> Void)
}

extension Scheduler {
    /// Waits for a while; a cancelled task waits all the same.
    func pause(for delay: Duration) async {
        await withCheckedContinuation { continuation in
            schedule(after: delay) { continuation.resume() }
        }
    }
}

/// The scheduler of a running program: a detached task that sleeps.
public struct SystemScheduler: Scheduler {
    /// Makes the scheduler.
    public init() {}

    /// Runs `work` in a detached task after `delay`.
    public func schedule(
        after delay: Duration,
        _ work: @escaping @Sendable () async -> Void
    ) {
        Task.detached(priority: .utility) {
            if delay > .zero { try? await Task.sleep(for: delay) }
            await work()
        }
    }
}
