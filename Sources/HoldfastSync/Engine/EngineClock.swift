/// A clock that counts from the engine's making.
struct EngineClock: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void

    init<Underlying: Clock>(_ clock: Underlying) where Underlying.Duration == Duration {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        wait = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    /// The time since then.
    var now: Duration { elapsed() }

    /// Waits until so long after then.
    func sleep(until time: Duration) async throws { try await wait(time) }
}
