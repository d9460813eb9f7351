import Holdfast

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SyncEnvironment {
    /// The system's randomness and clock.
    static let system = Self(
        random: { UInt64.random(in: .min ... .max) },
        ids: .system,
        wallClock: { Int64(Date().timeIntervalSince1970 * 1_000) }
    )
}
