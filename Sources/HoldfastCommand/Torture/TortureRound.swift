import HoldfastTesting

/// What one round of `hold torture kill` does, from the seed.
package struct TortureRound: Hashable, Sendable {
    /// When the child is killed.
    package enum KillPoint: Hashable, Sendable {
        /// This long after its start: while it opens, recovers or begins to write.
        case afterStart(Duration)
        /// This long after it opened the store.
        case afterOpening(Duration)
        /// When it has acknowledged this many transactions.
        case afterAcknowledgements(Int)
    }

    /// How the parent looks at what the child left.
    package enum Inspection: Hashable, Sendable {
        /// As a reader, which leaves recovery to the next child.
        case reading
        /// As a writer, which recovers, verifies and closes.
        case recovering
    }

    /// The number of rounds that one store is used for.
    package static let roundsPerStore = 12

    /// When the child is killed.
    package let killPoint: KillPoint
    /// How the outcome is looked at.
    package let inspection: Inspection

    /// The round of this number, from 0.
    package init(_ number: Int, seed: UInt64) {
        var random = SplitMix64(seed, number, -1)
        killPoint = Self.killPoint(&random)
        inspection = .random(in: 0..<3, using: &random) == 0 ? .recovering : .reading
    }

    private static func killPoint(_ random: inout SplitMix64) -> KillPoint {
        // Long enough for what the engine does by itself a second after a commit.
        if Int.random(in: 0..<32, using: &random) == 0 {
            return .afterOpening(.milliseconds(.random(in: 1_000...1_600, using: &random)))
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return .afterStart(.microseconds(.random(in: 1_000...6_000, using: &random)))
        case 1...2: return .afterStart(.microseconds(.random(in: 500...20_000, using: &random)))
        case 3...5: return .afterOpening(.microseconds(.random(in: 0...60_000, using: &random)))
        default: return .afterAcknowledgements(.random(in: 1...200, using: &random))
        }
    }
}
