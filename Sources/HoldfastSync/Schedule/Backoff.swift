/// The delays after failures of one cause: exponential with full jitter.
///
/// `max(Retry-After, random(0, min(cap, base * 2^n)))`, after "Exponential Backoff And Jitter" (AWS
/// Architecture Blog, 2015): jitter over the whole interval keeps many clients from coming back at
/// once.
package struct Backoff: Hashable, Sendable {
    /// How often in a row it has failed.
    package private(set) var failures = 0
    private let base: Duration
    private let cap: Duration

    package init(base: Duration, cap: Duration) {
        self.base = base
        self.cap = cap
    }

    /// The delay after one more failure.
    ///
    /// - Parameters:
    ///   - retryAfter: How long the server asks to wait.
    ///   - random: 64 random bits.
    /// - Returns: The delay.
    package mutating func fail(retryAfter: Duration?, random: UInt64) -> Duration {
        var limit = base
        for _ in 0..<failures where limit < cap { limit *= 2 }
        limit = min(limit, cap)
        failures += 1
        let share = Double(random >> 11) * 0x1p-53
        return max(retryAfter ?? .zero, limit * share)
    }

    /// It went well.
    package mutating func succeed() { failures = 0 }
}
