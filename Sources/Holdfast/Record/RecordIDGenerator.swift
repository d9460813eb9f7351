import HoldfastStorage
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Makes time-ordered ids: UUIDs of version 7 (RFC 9562, section 6.2, method 2).
///
/// Within one millisecond, and while the clock stands behind the last id, the 74 random bits count
/// up by random steps, so that ids ascend and still cannot be guessed.
public final class RecordIDGenerator: Sendable {
    /// The generator over the system's clock and randomness, which ``RecordID/make()`` asks.
    public static let system = RecordIDGenerator(
        clock: { Int64(Date().timeIntervalSince1970 * 1_000) },
        randomness: { SystemRandomness.shared.next() }
    )

    private let clock: @Sendable () -> Int64
    private let randomness: @Sendable () -> UInt64
    private let last = Mutex(TimeOrderedUUID(milliseconds: -1, high: 0, low: 0))

    /// A generator over a clock and a source of randomness.
    ///
    /// - Parameters:
    ///   - clock: Milliseconds since 1970; what does not fit 48 bits is cut to what does.
    ///   - randomness: 64 random bits a call.
    public init(
        clock: @escaping @Sendable () -> Int64,
        randomness: @escaping @Sendable () -> UInt64
    ) {
        self.clock = clock
        self.randomness = randomness
    }

    /// The next id, greater than every one before it.
    public func next() -> RecordID {
        let now = min(max(clock(), 0), TimeOrderedUUID.greatestMilliseconds)
        let stamp = last.withLock { last in
            if now > last.milliseconds {
                last = fresh(at: now)
            } else {
                advance(&last)
            }
            return last
        }
        return RecordID(stamp.uuid)
    }

    private func fresh(at milliseconds: Int64) -> TimeOrderedUUID {
        TimeOrderedUUID(
            milliseconds: milliseconds,
            high: UInt16(truncatingIfNeeded: randomness()) & TimeOrderedUUID.highMask,
            low: randomness() & TimeOrderedUUID.lowMask
        )
    }

    /// Counts up by 1 to 2^32; an overflow borrows the next millisecond, as the RFC allows.
    private func advance(_ stamp: inout TimeOrderedUUID) {
        stamp.low += 1 + (randomness() & 0xFFFF_FFFF)
        if stamp.low <= TimeOrderedUUID.lowMask { return }
        stamp.low &= TimeOrderedUUID.lowMask
        if stamp.high < TimeOrderedUUID.highMask {
            stamp.high += 1
        } else {
            stamp = fresh(at: min(stamp.milliseconds + 1, TimeOrderedUUID.greatestMilliseconds))
        }
    }
}

/// The three varying parts of a UUID of version 7.
private struct TimeOrderedUUID {
    static let greatestMilliseconds: Int64 = (1 << 48) - 1
    static let highMask: UInt16 = 0x0FFF
    static let lowMask: UInt64 = (1 << 62) - 1

    var milliseconds: Int64
    var high: UInt16
    var low: UInt64

    var uuid: PackedUUID {
        PackedUUID(
            high: UInt64(milliseconds) << 16 | 0x7000 | UInt64(high),
            low: 0x8000_0000_0000_0000 | low
        )
    }
}
