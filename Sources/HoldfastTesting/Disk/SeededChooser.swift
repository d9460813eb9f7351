/// Draws what a power loss keeps: the same seed gives the same outcome.
public struct SeededChooser: CrashChooser, Sendable {
    /// No limits: a draw costs the same however fine it is.
    public let limits = CrashLimits()
    private var random: SplitMix64
    private var bias: Bias

    /// How much of what was unsynced tends to survive; without it nearly every outcome of a large
    /// world would be the same mixture.
    private enum Bias: CaseIterable {
        case nothing, little, even, most, everything
    }

    /// A chooser that draws from `seed`.
    public init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        bias = .even
        bias = Bias.allCases[random.next(below: Bias.allCases.count)]
    }

    /// Draws one outcome.
    public mutating func choose(from options: Int) -> Int {
        let draw = random.next(below: options)
        let isOdd = random.next(below: 8) == 0
        return switch bias {
        case .nothing: 0
        case .everything: options - 1
        case .even: draw
        case .little: isOdd ? draw : 0
        case .most: isOdd ? draw : options - 1
        }
    }
}
