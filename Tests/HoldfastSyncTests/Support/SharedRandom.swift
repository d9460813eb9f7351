import HoldfastTesting
import Synchronization

/// Random numbers of a seed, for closures.
final class SharedRandom: Sendable {
    private let state: Mutex<SplitMix64>

    init(seed: UInt64) { state = Mutex(SplitMix64(seed: seed)) }

    func next() -> UInt64 { state.withLock { $0.next() } }
}
