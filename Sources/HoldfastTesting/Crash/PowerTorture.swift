import HoldfastStorage

/// Random lives of a store, each with several crashes, each decided by its seed alone.
///
/// A round makes a store on a simulated disk, works with it, and crashes it at a random call: the
/// process is killed, or the power is lost with a random outcome of every write and every name that
/// was not synced. The store is opened again, and may be crashed in the middle of that too. Then it
/// has to hold a state that was promised, and goes on from there to the next crash.
///
/// ```swift
/// let torture = PowerTorture()
/// for number in 0..<1_000 {
///     try await torture.run(seed: PowerTorture.seed(ofRound: number, from: 7))
/// }
/// ```
public struct PowerTorture: Sendable {
    /// What rounds went through.
    public struct Tally: Hashable, Sendable {
        /// Whole rounds.
        public var rounds = 0
        /// Stores that were opened as a crash had left them, each of which was checked.
        public var states = 0
        /// How many of these crashes met a recovery from another one.
        public var crashedRecoveries = 0
        /// Commits that were acknowledged.
        public var acknowledged = 0

        /// Nothing yet.
        public init() {}

        /// Adds what others went through.
        public static func += (left: inout Tally, right: Tally) {
            left.rounds += right.rounds
            left.states += right.states
            left.crashedRecoveries += right.crashedRecoveries
            left.acknowledged += right.acknowledged
        }
    }

    /// How the engine of a round is made: sizes may be drawn.
    public typealias MakeSubject = @Sendable (inout SplitMix64) -> CrashSubject

    private let makeSubject: MakeSubject

    /// Rounds of Holdfast's journal, with segments so small that each round fills some.
    public init() {
        self.init { random in
            let sizes: [UInt64] = [8_704, 8_704, 9_216, 12_288, 20_480]
            let tails: [UInt64] = [16 << 20, 16 << 20, 1, 1_000, 8_000]
            let tail = tails[random.next(below: tails.count)]
            let close = tails[random.next(below: tails.count)]
            let reserve: UInt64 = random.next(below: 4) == 0 ? 8_192 : 0
            let isIndexed = random.next(below: 2) == 0
            let size = sizes[random.next(below: sizes.count)]
            return .journal(segmentBytes: size, isIndexed: isIndexed) { configuration in
                configuration.checkpointTailBytes = tail
                configuration.checkpointCloseBytes = close
                configuration.reserveBytes = reserve
            }
        }
    }

    /// Rounds of an engine.
    public init(_ makeSubject: @escaping MakeSubject) { self.makeSubject = makeSubject }

    /// The seed of a round of a run: the first round has the run's own.
    ///
    /// So a run of one round with that seed is this round again.
    public static func seed(ofRound number: Int, from seed: UInt64) -> UInt64 {
        if number == 0 { return seed }
        var random = SplitMix64(
            seed: seed ^ UInt64(truncatingIfNeeded: number) &* 0xD134_2543_DE82_EF95
        )
        return random.next()
    }

    /// Runs one round.
    ///
    /// - Parameter seed: What everything in it follows from.
    /// - Returns: What it went through.
    /// - Throws: ``CrashViolation``.
    @discardableResult
    public func run(seed: UInt64) async throws -> Tally {
        var random = SplitMix64(seed: seed)
        let subject = makeSubject(&random)
        var round = PowerRound(subject, random)
        try await round.run()
        return round.tally
    }
}
