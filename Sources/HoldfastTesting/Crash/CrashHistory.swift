import HoldfastStorage

/// What a store went through, seen from outside: its commits, and what was promised when.
///
/// Moments are counts of the calls that could change the disk.
struct CrashHistory: Sendable {
    typealias State = [[UInt8]: [UInt8]]

    /// A transaction that was tried.
    struct Attempt: Sendable {
        enum Outcome: Sendable {
            case acknowledged
            /// It threw an error that says that nothing of it remains.
            case refused
            /// It threw an error that says that it may be there.
            case unknown
        }

        let durability: Durability
        let changes: [Change]
        let start: Int
        var end = Int.max
        var outcome = Outcome.acknowledged
    }

    /// The store before the first attempt.
    private let initial: Observation
    private var attempts: [Attempt] = []
    /// The state after all that was acknowledged.
    private(set) var current: State
    /// Moments from which on everything acknowledged before them has to survive a power loss.
    private var settled: [Int] = []

    /// A history that begins with a store that holds this and has to keep it.
    init(_ initial: Observation = Observation()) {
        self.initial = initial
        current = initial.state
    }

    var lastOutcome: Attempt.Outcome? { attempts.last?.outcome }

    mutating func begin(_ changes: [Change], _ durability: Durability, at moment: Int) {
        attempts.append(Attempt(durability: durability, changes: changes, start: moment))
    }

    mutating func end(_ outcome: Attempt.Outcome, at moment: Int) {
        let last = attempts.count - 1
        attempts[last].end = moment
        attempts[last].outcome = outcome
        if outcome == .acknowledged { current = current.applying(attempts[last].changes) }
    }

    /// From now on everything that was acknowledged survives a power loss.
    mutating func settle(at moment: Int) { settled.append(moment) }

    /// What a store may hold after a crash at a moment.
    func expectation(at moment: Int) -> CrashExpectation {
        var expectation = CrashExpectation(initial)
        for attempt in attempts where attempt.start <= moment {
            if attempt.end > moment || attempt.outcome == .unknown {
                expectation.mayFollow(attempt.changes)
            } else if attempt.outcome == .acknowledged {
                expectation.append(attempt.changes)
                if attempt.durability == .synced { expectation.requireAllAfterPowerLoss() }
            }
            if settled.contains(where: { $0 >= attempt.end && $0 <= moment }) {
                expectation.requireAllAfterPowerLoss()
            }
        }
        return expectation
    }
}
