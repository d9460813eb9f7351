import Holdfast

extension Settling {
    /// The mutations of a batch, which is a single one or a group, need attention.
    ///
    /// - Returns: Those that are no longer outstanding.
    func giveUp(
        _ batch: PushBatch,
        _ problem: SyncProblem,
        _ transaction: inout WriteTransaction
    ) throws -> [OutstandingMutation] {
        var finished: [OutstandingMutation] = []
        for member in batch.members {
            guard let mutation = try transaction.mutation(at: member.position),
                mutation.key == member.key, let sent = OutstandingMutation(mutation),
                var state = try transaction.syncRecord(member.record)
            else { continue }
            let refused = mutation.givenUp(for: problem, as: environment.key())
            try transaction.set(refused)
            if refused.frozen == nil { finished.append(sent) }
            try settle(member.record, &state, &transaction)
        }
        return finished
    }
}
