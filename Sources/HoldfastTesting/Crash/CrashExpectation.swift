import HoldfastStorage

/// What a store may hold after a crash: one of several states of one history.
struct CrashExpectation: Hashable, Sendable {
    /// The number of the last commit before what is known in detail.
    private let base: Int
    /// The states after it, and after 1, 2, 3 … more acknowledged commits.
    private var states: [CrashHistory.State]
    /// The last commits; those before are not in the change feed any more.
    private var commits: [Commit]
    /// The number of the last commit that has to be there after a power loss; after a kill it is
    /// the last.
    private var durable: Int
    /// Commits that may each follow the last acknowledged one.
    private(set) var possible: [[Change]] = []

    /// A store that holds exactly this, and has to keep it.
    init(_ observation: Observation) {
        base = observation.last
        states = [observation.state]
        commits = observation.commits
        durable = base
    }

    /// The number of the last acknowledged commit.
    var last: Int { base + states.count - 1 }

    mutating func append(_ changes: [Change]) {
        possible = []
        states.append(states[states.count - 1].applying(changes))
        let number = SequenceNumber(UInt64(last))
        commits.append(Commit(sequenceNumber: number, changes: changes))
    }

    mutating func mayFollow(_ changes: [Change]) { possible.append(changes) }

    mutating func excludePossible() { possible = [] }

    mutating func requireAllAfterPowerLoss() { durable = last }

    /// - Throws: ``CrashViolation`` unless the store may hold this.
    func check(_ observation: Observation, afterPowerLoss: Bool) throws(CrashViolation) {
        try check(observation, requiring: afterPowerLoss ? durable : last)
    }

    /// - Throws: ``CrashViolation`` unless this is one of the states, with this many commits or
    ///   more.
    func check(_ observation: Observation, requiring required: Int) throws(CrashViolation) {
        guard observation.last >= required else {
            throw CrashViolation(
                "Commit \(observation.last + 1) of \(required) that had to be there is lost.",
                isLoss: true
            )
        }
        let expected = expectedStates(at: observation.last)
        guard expected.contains(observation.state) else {
            throw CrashViolation(
                "After \(observation.last) commits the store holds \(observation.state.summary),"
                    + " and not \(expected.map(\.summary))."
            )
        }
        try checkFeed(observation)
    }

    private func expectedStates(at number: Int) -> [CrashHistory.State] {
        if number == last + 1 { return possible.map { states[states.count - 1].applying($0) } }
        return states.indices.contains(number - base) ? [states[number - base]] : []
    }

    private func checkFeed(_ observation: Observation) throws(CrashViolation) {
        for commit in observation.commits {
            let number = Int(commit.sequenceNumber.rawValue)
            if number > last {
                guard possible.contains(commit.changes) else {
                    throw CrashViolation("The change feed ends with a commit that never was.")
                }
            } else {
                let index = commits.count - 1 - (last - number)
                guard commits.indices.contains(index) else { continue }
                guard commits[index] == commit else {
                    throw CrashViolation("The change feed differs from what was committed.")
                }
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
