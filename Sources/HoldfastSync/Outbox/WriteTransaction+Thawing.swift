import Holdfast

extension WriteTransaction {
    /// Lets a record's mutations that the server refused be tried again, and with them the groups
    /// that they belong to: editing the record is the retry.
    ///
    /// - Returns: The groups of the record's own mutations among them.
    @discardableResult
    mutating func thaw(_ state: SyncRecord) throws -> [Mutation.Position: String] {
        var thawed: [Mutation.Position: String] = [:]
        for position in state.mutations {
            guard let mutation = try mutation(at: position), mutation.needsAttention,
                !mutation.mayCountTwice
            else { continue }
            thawed[position] = mutation.group
            try thaw(mutation)
        }
        for group in Set(thawed.values) {
            for mutation in try mutationsInAttention(of: group) where !mutation.mayCountTwice {
                try thaw(mutation)
            }
        }
        return thawed
    }

    private mutating func thaw(_ mutation: Mutation) throws {
        try set(mutation.retried(as: MutationKey(mintID().text)))
    }

    /// The mutations of a group that need attention.
    func mutationsInAttention(of group: String) throws -> [Mutation] {
        var found: [Mutation] = []
        try scanSystemKeys(SyncKey.all(.attention)) { key in
            guard let position = SyncKey.position(of: key),
                let mutation = try mutation(at: position), mutation.group == group
            else { return true }
            found.append(mutation)
            return true
        }
        return found
    }
}

extension Mutation {
    /// Whether it may have had its effect already and would have it again: somebody has to say that
    /// it is sent once more.
    package var mayCountTwice: Bool {
        guard case .attention(let problem) = state, !change.hasBase else { return false }
        return problem.type == ProblemType.outcomeUnknown || problem.type == ProblemType.keyReused
    }
}
