/// Decides what a power loss keeps.
///
/// ``SeededChooser`` draws, ``CrashEnumerator`` goes through everything.
public protocol CrashChooser {
    /// How finely the decisions of one power loss are asked.
    var limits: CrashLimits { get }

    /// One decision.
    ///
    /// - Parameter options: The number of outcomes, at least 1. The first keeps nothing, the last
    ///   everything; those between are parts and tears.
    /// - Returns: The outcome, below `options`.
    mutating func choose(from options: Int) -> Int
}
