import HoldfastStorage
import Synchronization

/// A seeded generator that threads share.
final class SeededRandom: Sendable {
    private let generator: Mutex<SplitMix64>

    init(seed: UInt64) { generator = Mutex(SplitMix64(seed: seed)) }

    func next() -> UInt64 { generator.withLock { $0.next() } }
}
