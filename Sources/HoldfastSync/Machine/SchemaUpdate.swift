import Holdfast

/// Takes up what an older version of the app had to leave.
struct SchemaUpdate: Sendable {
    let settling: Settling

    /// Sends again what was refused because of its form, merges what came in a newer one, and runs
    /// the steps on what they could not be run on.
    func apply(to transaction: inout WriteTransaction) throws {
        var seen: Set<RecordReference> = []
        var records: [RecordReference] = []
        var refused: [Mutation] = []
        try transaction.scanMutations { mutation in
            if seen.insert(mutation.record).inserted { records.append(mutation.record) }
            if mutation.isOfOlderForm { refused.append(mutation) }
            return true
        }
        for mutation in refused {
            try transaction.set(mutation.retried(as: settling.environment.key()))
        }
        for record in records {
            guard var state = try transaction.syncRecord(record), state.remote != nil else {
                continue
            }
            try settling.settle(record, &state, &transaction)
        }
        try stepRaw(&transaction)
    }

    private func stepRaw(_ transaction: inout WriteTransaction) throws {
        for record in try transaction.noted(.raw) {
            guard var state = try transaction.syncRecord(record), state.isRaw else { continue }
            let mutations = try transaction.mutations(of: state)
            // Of what was sent the answer says in what form the server has the record now.
            guard !mutations.isOutcomeUnknown,
                let object = try settling.base(of: record, state, transaction)
            else { continue }
            for mutation in mutations where isOfOlderForm(mutation) {
                try transaction.refuse(mutation, for: .notStepped)
            }
            let came = ServerState(version: state.version, object: object, form: state.form)
            let arrived = try settling.arrived(came, of: record, &transaction)
            guard let stepped = arrived.object, !arrived.isRaw else { continue }
            state.takeForm(of: arrived)
            state.base = stepped
            try settling.settle(record, &state, &transaction)
        }
    }

    /// Whether a change was made in an older form than this app's, and no step was run on it.
    private func isOfOlderForm(_ mutation: Mutation) -> Bool {
        let forms = settling.tables.schema?.forms ?? []
        return forms.contains { $0 > mutation.schema } && mutation.change.saysFields
    }
}

extension Mutation {
    /// Whether the server refused it since it was made by an older version of the app.
    fileprivate var isOfOlderForm: Bool {
        guard case .attention(let problem) = state else { return false }
        return problem.type == ProblemType.olderForm
    }
}
