import HoldfastStorage
import HoldfastTesting

/// How large the files of a torture store are, and how its records come and go.
package enum TortureShape: String, CaseIterable, Sendable {
    /// Sizes as apps have them.
    case plain
    /// Files so small that segments, checkpoints and compaction follow each other all the time.
    case small
    /// The same, and a few records that are overwritten and deleted again and again.
    case churn

    /// The shape of the store of this number.
    package init(store: Int, seed: UInt64) {
        var random = SplitMix64(seed, store, -2)
        self = [.plain, .small, .churn, .churn].randomElement(using: &random) ?? .plain
    }

    /// How many records a task writes to.
    package var recordsPerTask: Int { self == .churn ? 8 : 48 }

    /// How many of ten operations delete.
    var deletes: Int { self == .churn ? 4 : 2 }

    /// How a store of this shape is opened.
    var journal: JournalConfiguration {
        var configuration = JournalConfiguration()
        guard self != .plain else { return configuration }
        configuration.firstSegmentBytes = 16_384
        configuration.largestSegmentBytes = self == .churn ? 65_536 : 262_144
        configuration.checkpointTailBytes = 32_768
        configuration.checkpointCloseBytes = 1_024
        configuration.reserveBytes = 65_536
        return configuration
    }
}
