extension Mutation {
    /// The mutation as one that may be changed and was never sent, after the server refused it or
    /// found another state of the record.
    ///
    /// - Parameter key: A new key: the server keeps its answer under the old one.
    /// - Returns: The same mutation in its place, queued.
    package func thawed(as key: MutationKey) -> Mutation {
        var thawed = self
        thawed.key = key
        thawed.state = .queued
        thawed.frozen = nil
        thawed.deferrals = 0
        thawed.isFromBackup = false
        return thawed
    }

    /// It may have had its effect in the past.
    mutating func doubt() {
        isRemade = true
        isDoubtful = true
    }

    /// It may have had its effect, also under another key: a step of a counter and an action are
    /// sent again when somebody says so.
    mutating func doubtOutcome() {
        doubt()
        guard !change.hasBase else { return }
        state = .attention(
            SyncProblem(
                type: ProblemType.outcomeUnknown,
                detail: "The server no longer knows whether this was applied. Look at the"
                    + " record, then send it again or discard it."
            )
        )
    }

    /// The mutation as one that needs attention, after the server refused a request without an
    /// answer to keep: a copy of the request that is late may still have its effect.
    ///
    /// A put, a patch or a deletion would meet its own effect as a state that it knows. A step of a
    /// counter and an action would have theirs twice, and keep their key.
    ///
    /// - Parameters:
    ///   - problem: Why.
    ///   - key: A new key, for a mutation that may have one.
    /// - Returns: The same mutation in its place.
    package func givenUp(for problem: SyncProblem, as key: MutationKey) -> Mutation {
        var refused = thawed(as: key)
        if !change.hasBase, case .sent(let client, let sequence, let text) = state {
            refused.key = self.key
            refused.frozen = Frozen(client: client, sequence: sequence, text: text)
        }
        refused.state = .attention(problem)
        refused.doubt()
        return refused
    }

    /// The mutation as one that is tried again: under a new key, or as it was sent.
    package func retried(as key: MutationKey) -> Mutation {
        var again = thawed(as: frozen == nil ? key : self.key)
        again.frozen = frozen
        return again
    }
}
