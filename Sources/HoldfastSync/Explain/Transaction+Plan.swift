import Holdfast

extension ReadTransaction {
    /// What the next sync would do, record by record, in the order of the outbox.
    ///
    /// - Complexity: O(mutations that wait).
    package func plannedSteps(_ tables: SyncedTables) throws -> [PlannedStep] {
        var steps: [PlannedStep] = []
        var seen: Set<RecordReference> = []
        try scanMutations { mutation in
            guard seen.insert(mutation.record).inserted,
                let state = try syncRecord(mutation.record)
            else { return true }
            steps.append(
                PlannedStep(
                    record: mutation.record,
                    kind: try kind(of: mutation, state, tables),
                    changes: state.mutations.count
                )
            )
            return true
        }
        return steps
    }

    /// The records that a mutation waits for.
    package func blockers(of mutation: Mutation, _ tables: SyncedTables) throws -> [RecordReference]
    {
        try tables.parents(of: mutation.writtenFields, in: mutation.record.table).filter { parent in
            guard parent != mutation.record, let state = try syncRecord(parent),
                state.version == RecordVersion(0)
            else { return false }
            return try mutations(of: state).contains {
                if case .attention = $0.state { true } else { false }
            }
        }
    }

    private func kind(
        of mutation: Mutation,
        _ state: SyncRecord,
        _ tables: SyncedTables
    ) throws -> PlannedStep.Kind {
        if let fields = state.question { return .waitForDecision(fields: fields) }
        for mutation in try mutations(of: state) {
            if case .attention(let problem) = mutation.state { return .waitForAttention(problem) }
        }
        let blockers = try blockers(of: mutation, tables)
        if !blockers.isEmpty { return .waitForRecords(blockers) }
        return mutation.isSent ? .sendAgain : .send
    }
}
