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
            guard var state = try transaction.syncRecord(record), state.isClean, state.isRaw,
                let object = try transaction.get(record.id, in: record.table)
            else { continue }
            let came = ServerState(version: state.version, object: object, form: state.form)
            let arrived = try settling.arrived(came, of: record, &transaction)
            guard let stepped = arrived.object, !arrived.isRaw else { continue }
            state.takeForm(of: arrived)
            try transaction.putDocument(stepped, of: record.id, in: record.table)
            try transaction.set(state, of: record)
        }
    }
}

extension Mutation {
    /// Whether the server refused it since it was made by an older version of the app.
    fileprivate var isOfOlderForm: Bool {
        guard case .attention(let problem) = state else { return false }
        return problem.type == ProblemType.olderForm
    }
}
