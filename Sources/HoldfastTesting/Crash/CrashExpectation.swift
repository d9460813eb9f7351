import HoldfastStorage

/// What a store may hold after a crash: one of several states of one history.
struct CrashExpectation: Hashable, Sendable {
    /// The states after 0, 1, 2 … acknowledged commits.
    private(set) var states: [CrashHistory.State]
    private(set) var commits: [Commit]
    /// The commits that have to be there after a power loss; after a kill it is all.
    private(set) var durableCount: Int
    /// Commits that may each follow the last acknowledged one.
    private(set) var possible: [[Change]] = []

    /// A store that holds exactly this, and has to keep it.
    init(state: CrashHistory.State, commits: [Commit]) {
        var states: [CrashHistory.State] = [[:]]
        for commit in commits { states.append(states[states.count - 1].applying(commit.changes)) }
        precondition(states[states.count - 1] == state)
        self.states = states
        self.commits = commits
        durableCount = commits.count
    }

    mutating func append(_ changes: [Change]) {
        possible = []
        states.append(states[states.count - 1].applying(changes))
        let number = SequenceNumber(UInt64(states.count - 1))
        commits.append(Commit(sequenceNumber: number, changes: changes))
    }

    mutating func mayFollow(_ changes: [Change]) { possible.append(changes) }

    mutating func excludePossible() { possible = [] }

    mutating func requireAllAfterPowerLoss() { durableCount = states.count - 1 }

    /// - Throws: ``CrashViolation`` unless the store may hold this.
    func check(_ observation: Observation, afterPowerLoss: Bool) throws(CrashViolation) {
        try check(observation, requiring: afterPowerLoss ? durableCount : commits.count)
    }

    /// - Throws: ``CrashViolation`` unless this is one of the states, with this many commits or
    ///   more.
    func check(_ observation: Observation, requiring required: Int) throws(CrashViolation) {
        let count = observation.commits.count
        guard count >= required else {
            throw CrashViolation(
                "Commit \(count + 1) of \(required) that had to be there is lost.",
                isLoss: true
            )
        }
        let expected: [CrashHistory.State]
        if count < states.count {
            expected = [states[count]]
        } else {
            expected = count == states.count ? possible.map { states[count - 1].applying($0) } : []
        }
        guard expected.contains(observation.state) else {
            throw CrashViolation(
                "After \(count) commits the store holds \(observation.state.summary), and not"
                    + " \(expected.map(\.summary))."
            )
        }
        let common = min(count, commits.count)
        guard observation.commits[..<common] == commits[..<common] else {
            throw CrashViolation("The change feed differs from what was committed.")
        }
        if count > common {
            guard possible.contains(observation.commits[count - 1].changes) else {
                throw CrashViolation("The change feed ends with a commit that never was.")
            }
        }
    }
}

extension CrashHistory.State {
    func applying(_ changes: [Change]) -> Self {
        var state = self
        for change in changes { state[change.key] = change.value }
        return state
    }

    /// Such as `1:17 2:4`: keys, and the number that begins each value.
    var summary: String {
        sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map { "\($0.key.first ?? 0):\($0.value.first ?? 0)" }
            .joined(separator: " ")
    }
}
