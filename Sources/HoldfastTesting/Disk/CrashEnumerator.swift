/// Goes through every outcome of a power loss, one after the other.
///
/// ```swift
/// var outcomes = CrashEnumerator()
/// repeat {
///     let disk = image.afterPowerLoss(using: &outcomes)
///     // recover from it, and check
/// } while outcomes.advance()
/// ```
///
/// Each round has to ask for the same decisions until one comes out differently, as a power loss of
/// one image does.
public struct CrashEnumerator: CrashChooser, Sendable {
    /// How finely it asks.
    public let limits: CrashLimits
    /// The outcomes that were begun.
    public private(set) var count = 1
    /// The present outcome's decisions so far.
    public var choices: [Int] { digits[..<position].map(\.choice) }
    private var digits: [(choice: Int, options: Int)] = []
    private var position = 0

    /// An enumerator that stands at the first outcome, which keeps nothing.
    public init(limits: CrashLimits = CrashLimits()) {
        self.limits = limits
    }

    /// The present outcome's next decision.
    public mutating func choose(from options: Int) -> Int {
        if position == digits.count { digits.append((0, options)) }
        precondition(digits[position].options == options, "another image was asked about")
        defer { position += 1 }
        return digits[position].choice
    }

    /// Goes on to the next outcome.
    ///
    /// - Returns: `false` when all have been visited.
    public mutating func advance() -> Bool {
        digits.removeSubrange(position...)
        while let last = digits.popLast() {
            guard last.choice + 1 < last.options else { continue }
            digits.append((last.choice + 1, last.options))
            position = 0
            count += 1
            return true
        }
        return false
    }
}
