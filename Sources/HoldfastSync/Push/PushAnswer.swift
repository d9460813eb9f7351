import Holdfast

/// Brings the answer to a push into the store, inside one transaction.
///
/// An answer ends only the mutation that it names, and only while that is there.
struct PushAnswer {
    /// What the machine has to know of it.
    struct Outcome: Sendable {
        /// Mutations whose effect is confirmed or will never come.
        var finished: [OutstandingMutation] = []
        /// Mutations whose effect a pull has yet to bring.
        private(set) var acknowledged: [OutstandingMutation] = []
        /// The scopes whose histories will bring those effects.
        private(set) var scopes: Set<ScopeName> = []
        /// Whether any history may bring something: an action writes where it likes.
        private(set) var mayBeAnywhere = false
        /// Records that the server put off, with its reason.
        var deferred: [(member: PushBatch.Member, problem: SyncProblem?)] = []
        /// Mutations that met another state, and how often in a row.
        var conflicts: [(member: PushBatch.Member, count: Int)] = []
        /// Records that wait no longer.
        var settled: [RecordReference] = []
        /// Mutations of the batch that the answer says nothing of.
        var unanswered = 0
        /// Whether there is something new to send.
        var hasMore = false
        /// Whether the server no longer knows what became of old mutations.
        var hasExpired = false
        /// Groups one of which has been put off too often, and why.
        var exhausted: [String: SyncProblem] = [:]
        /// Whether the server has no room.
        var isOverQuota = false
        /// Records that a snapshot has passed, and that may have moved to another scope.
        var gone: [RecordReference] = []
        /// Whether the server asks for a newer app.
        var needsUpgrade = false

        /// A mutation had its effect, which a history has yet to bring.
        fileprivate mutating func acknowledge(
            _ mutation: OutstandingMutation,
            in scope: ScopeName?,
            isAction: Bool
        ) {
            acknowledged.append(mutation)
            if let scope, !isAction { scopes.insert(scope) } else { mayBeAnywhere = true }
        }
    }

    let batch: PushBatch
    let response: PushResponse
    let settling: Settling
    /// Whether everything has been pulled since the batch was first put off.
    let hasPulled: Bool
    /// The heads of the scopes' last snapshots.
    var sweptHeads: [ScopeName: RecordVersion] = [:]
    /// Whether a record that has left a scope may have come to another one that is followed.
    let followsSeveral: Bool

    /// Applies every result to its mutation.
    mutating func apply(to transaction: inout WriteTransaction) throws -> Outcome {
        var outcome = Outcome()
        sweptHeads = try transaction.scopeStates().compactMapValues(\.sweptHead)
        let results = self.results
        let broken = brokenGroups(results)
        for (member, result) in zip(batch.members, results) {
            guard let result, isComplete(result) else {
                outcome.unanswered += 1
                continue
            }
            let isHeldBack = result.status == .deferred && member.group.map(broken.contains) == true
            try apply(result, to: member, isHeldBack, in: &transaction, &outcome)
        }
        try giveUpExhausted(&transaction, &outcome)
        return outcome
    }

    /// The results of the batch's members, in their order, as they come as a rule.
    private var results: [PushResult?] {
        let isInOrder =
            response.results.count == batch.members.count
            && zip(response.results, batch.members).allSatisfy { $0.key == $1.key }
        if isInOrder { return response.results }
        var results: [MutationKey: PushResult] = [:]
        // Of two results for one mutation the first counts, and what was not asked for counts not.
        for result in response.results where results[result.key] == nil {
            results[result.key] = result
        }
        return batch.members.map { results[$0.key] }
    }

    /// The groups that can never be applied as they were sent: one of each has its final answer.
    private func brokenGroups(_ results: [PushResult?]) -> Set<String> {
        var broken: Set<String> = []
        for (member, result) in zip(batch.members, results) {
            guard let group = member.group, let result, isComplete(result) else { continue }
            switch effective(result) {
            case .conflict, .rejected, .expired: broken.insert(group)
            case .applied, .merged, .noop, .replayed, .deferred: break
            }
        }
        return broken
    }

    /// Whether a result says what its status has to say.
    private func isComplete(_ result: PushResult) -> Bool {
        switch effective(result) {
        case .applied, .merged: result.version.map { $0.number > 0 } ?? false
        case .replayed: false
        case .conflict:
            result.version != nil || result.problem?.type == ProblemType.purged
                || result.problem?.type == ProblemType.parentDeleted
        case .noop, .rejected, .deferred, .expired: true
        }
    }

    private func effective(_ result: PushResult) -> PushResult.Status {
        result.status == .replayed ? result.original ?? .replayed : result.status
    }

    private func apply(
        _ result: PushResult,
        to member: PushBatch.Member,
        _ isHeldBack: Bool,
        in transaction: inout WriteTransaction,
        _ outcome: inout Outcome
    ) throws {
        if try acknowledge(member, result, &transaction, &outcome) { return }
        guard let mutation = try named(by: member, in: transaction),
            let sent = OutstandingMutation(mutation),
            var state = try transaction.syncRecord(member.record)
        else { return }
        switch effective(result) {
        case .applied, .merged, .noop, .replayed:
            try acknowledge(mutation, sent, result, &state, &transaction, &outcome)
        case .conflict:
            if let problem = result.problem, problem.type == ProblemType.parentDeleted {
                try thaw(mutation, sent, &state, &transaction, &outcome) {
                    $0.state = .attention(problem)
                }
            } else {
                outcome.conflicts.append((member, mutation.conflicts + 1))
                try thaw(mutation, sent, &state, &transaction, &outcome) {
                    $0.conflicts += 1
                    if mutation.isFromBackup { $0.doubtOutcome() }
                }
                let isGone = state.version.number > 0 && isSwept(result, state)
                if !isGone || followsSeveral {
                    try stand(result, to: mutation, against: &state, &transaction)
                }
                if isGone { try standSwept(result, member.record, &state, &transaction, &outcome) }
            }
        case .rejected:
            try reject(mutation, sent, result, &state, &transaction, &outcome)
        case .deferred where isHeldBack:
            // What is left of the group is sent as another one, as a former life may have done.
            try thaw(mutation, sent, &state, &transaction, &outcome) {
                if mutation.isFromBackup { $0.doubtOutcome() }
            }
        case .deferred:
            try putOff(mutation, sent, member, result, &state, &transaction, &outcome)
        case .expired:
            outcome.hasExpired = true
            try expire(mutation, sent, &state, &transaction, &outcome)
        }
        outcome.hasMore = outcome.hasMore || !state.mutations.isEmpty
        try settling.settle(member.record, &state, &transaction)
        if settling.faults.contains(.tombstonePurgedAtAcknowledgement), state.isClean,
            state.isDeleted
        {
            try transaction.note(.tombstone, member.record, false)
            try transaction.removeSyncRecord(member.record)
        }
    }

    /// Ends a mutation that was applied as it was sent, with nothing behind it and no news of the
    /// record: what is read here is the new base already, and need not be looked at.
    ///
    /// - Returns: Whether it was so.
    private func acknowledge(
        _ member: PushBatch.Member,
        _ result: PushResult,
        _ transaction: inout WriteTransaction,
        _ outcome: inout Outcome
    ) throws -> Bool {
        guard effective(result) == .applied, result.record == nil, !result.isTombstone,
            member.kind.hasBase, settling.faults.isEmpty, let version = result.version,
            var sent = member.sent, var state = try transaction.syncRecord(member.record),
            state.mutations == [member.position], state.remote == nil, state.question == nil,
            state.version < version, member.kind != .patch || !state.isDeleted,
            !isSwept(result, state),
            try transaction.isSent(member.key, at: member.position)
        else { return false }
        try transaction.removeSent(at: member.position)
        state.mutations = []
        state.version = version
        state.form = result.form
        state.isRaw = false
        state.scope = result.scope ?? state.scope
        state.isDeleted = member.kind == .delete
        state.isUnseen = false
        try settling.store(member.record, &state, nil, &transaction)
        sent.acknowledged = version
        try transaction.set(sent)
        outcome.settled.append(member.record)
        outcome.acknowledge(sent, in: state.scope, isAction: false)
        return true
    }

    /// The mutation that a result names, if it is still there.
    private func named(
        by member: PushBatch.Member,
        in transaction: borrowing WriteTransaction
    ) throws -> Mutation? {
        if settling.faults.contains(.clearingWithoutCompare) {
            let first = try transaction.syncRecord(member.record)?.mutations.last
            return try first.flatMap { try transaction.mutation(at: $0) }
        }
        guard let mutation = try transaction.mutation(at: member.position),
            mutation.key == member.key
        else { return nil }
        return mutation
    }

    private func acknowledge(
        _ mutation: Mutation,
        _ sent: OutstandingMutation,
        _ result: PushResult,
        _ state: inout SyncRecord,
        _ transaction: inout WriteTransaction,
        _ outcome: inout Outcome
    ) throws {
        // A pull that was faster has brought the effect already, and none will bring it again.
        let newest = max(state.version, state.remote?.state.version ?? state.version)
        let isPulled = result.version.map { $0 <= newest } ?? false
        let isGone = isSwept(result, state)
        try settling.end(mutation, &state, &transaction)
        let isUnknown = isUnknownThere(result, mutation, state)
        try settling.advance(&state, by: mutation, result, &transaction)
        if isUnknown, state.version.number > 0 { standGone(against: &state) }
        if isGone { try standSwept(result, mutation.record, &state, &transaction, &outcome) }
        outcome.settled.append(mutation.record)
        var sent = sent
        // Nothing of a no-op will ever come back: it is confirmed at once.
        if effective(result) == .noop || isPulled {
            outcome.finished.append(sent)
        } else {
            sent.acknowledged = result.version
            try transaction.set(sent)
            outcome.acknowledge(
                sent,
                in: result.scope ?? state.scope,
                isAction: mutation.change.isAction
            )
        }
    }

    /// Whether the record has gone since: a snapshot that was made later has it on no page.
    ///
    /// An effect that became known so late is news of a state that no pull will bring.
    private func isSwept(
        _ result: PushResult,
        _ state: SyncRecord
    ) -> Bool {
        guard let scope = result.scope, let version = result.version, !result.isTombstone,
            effective(result) != .noop || result.status == .replayed,
            state.version < version, state.remote.map({ $0.state.version < version }) ?? true,
            let head = sweptHeads[scope]
        else { return false }
        return version <= head
    }

    /// Makes a mutation one that was never sent, with a new key: the server keeps its answer under
    /// the old one.
    private func thaw(
        _ mutation: Mutation,
        _ sent: OutstandingMutation,
        _ state: inout SyncRecord,
        _ transaction: inout WriteTransaction,
        _ outcome: inout Outcome,
        _ change: (inout Mutation) -> Void
    ) throws {
        var thawed = mutation.thawed(as: settling.environment.key())
        change(&thawed)
        try transaction.set(thawed)
        outcome.finished.append(sent)
        outcome.settled.append(mutation.record)
    }

    /// That a snapshot has passed the record is news; where it may have moved to another scope, only
    /// the end of all histories tells.
    private func standSwept(
        _ result: PushResult,
        _ record: RecordReference,
        _ state: inout SyncRecord,
        _ transaction: inout WriteTransaction,
        _ outcome: inout Outcome
    ) throws {
        guard followsSeveral, let scope = result.scope, let head = sweptHeads[scope] else {
            return standGone(against: &state)
        }
        let note = GoneNote(scope: scope, version: head, isSwept: true)
        try transaction.note(.gone, record, true, note.encoded())
        outcome.gone.append(record)
    }

    /// Whether the server had nothing to change because it knows nothing of the record, which nothing
    /// newer contradicts.
    ///
    /// No page may ever tell of that: the record was purged while nobody here saw it. Unlike a conflict
    /// this is settled even by an answer that is given again, as long as the record is still what it
    /// was sent on.
    private func isUnknownThere(
        _ result: PushResult,
        _ mutation: Mutation,
        _ state: SyncRecord
    ) -> Bool {
        guard effective(result) == .noop, result.version == nil, mutation.change != .delete,
            state.remote.map({ $0.state.version <= state.version }) ?? true
        else { return false }
        let isRepeated = result.status == .replayed
        return mutation.sentBase.map { $0 == state.version } ?? !isRepeated
    }

    /// That the record is gone is news where the server was thought to have it.
    private func standGone(against state: inout SyncRecord) {
        let isNews = state.version.number > 0
        state.remote = isNews ? SyncRecord.Remote(state: .absent, scope: state.scope) : nil
    }

    /// What the server has becomes the state to plan with.
    private func stand(
        _ result: PushResult,
        to mutation: Mutation,
        against state: inout SyncRecord,
        _ transaction: inout WriteTransaction
    ) throws {
        let known = try settling.answered(result, of: mutation.record, &transaction)
        guard let answered = known else {
            // It is no news where the server was not thought to have the record, nor where it has
            // got it again since; an answer that is given a second time says nothing of today.
            let isKnownAgain = state.remote.map { $0.state.version > state.version } ?? false
            guard result.status != .replayed, state.version.number > 0, !isKnownAgain,
                mutation.sentBase.map({ $0 == state.version }) ?? true
            else { return }
            return standGone(against: &state)
        }
        settling.stand(answered, in: result.scope, against: &state)
    }

    private func reject(
        _ mutation: Mutation,
        _ sent: OutstandingMutation,
        _ result: PushResult,
        _ state: inout SyncRecord,
        _ transaction: inout WriteTransaction,
        _ outcome: inout Outcome
    ) throws {
        let problem =
            result.problem
            ?? SyncProblem(type: ProblemType.invalid, detail: "The server gave no reason.")
        // What an older version of the app sent keeps its bytes; refused, it is made by this one.
        let isOfEarlierApp = mutation.schemaAsSent < settling.tables.version
        let isTooOld =
            problem.type == ProblemType.upgradeRequired || problem.type == ProblemType.olderForm
        if problem.type == ProblemType.upgradeRequired || isTooOld && isOfEarlierApp {
            outcome.needsUpgrade = outcome.needsUpgrade || !isOfEarlierApp
            let version = settling.tables.version
            let isStepped = mutation.schema == version || !isTooOld || !isOfEarlierApp
            try thaw(mutation, sent, &state, &transaction, &outcome) {
                if !isStepped, problem.type == ProblemType.olderForm {
                    $0.state = .attention(.notStepped)
                }
                $0.schema = version
                if mutation.isFromBackup, !mutation.change.hasBase { $0.doubtOutcome() }
            }
            return
        }
        // The key of a snapshot may have been used by this replica's former life, before it was
        // restored from a backup: it is planned anew. A step of a counter may have had its effect.
        let isPlannedAnew = problem.type == ProblemType.keyReused && mutation.change.hasBase
        let wasTriedAgain = mutation.isFromBackup
        try thaw(mutation, sent, &state, &transaction, &outcome) { mutation in
            mutation.conflicts += 1
            if wasTriedAgain, !mutation.change.hasBase { return mutation.doubtOutcome() }
            if isPlannedAnew { mutation.doubt() }
            if !isPlannedAnew || mutation.conflicts > SyncRules.patience {
                mutation.state = .attention(problem)
            }
        }
    }

    private func expire(
        _ mutation: Mutation,
        _ sent: OutstandingMutation,
        _ state: inout SyncRecord,
        _ transaction: inout WriteTransaction,
        _ outcome: inout Outcome
    ) throws {
        try thaw(mutation, sent, &state, &transaction, &outcome) { $0.doubtOutcome() }
    }

    private func putOff(
        _ mutation: Mutation,
        _ sent: OutstandingMutation,
        _ member: PushBatch.Member,
        _ result: PushResult,
        _ state: inout SyncRecord,
        _ transaction: inout WriteTransaction,
        _ outcome: inout Outcome
    ) throws {
        outcome.deferred.append((member, result.problem))
        let type = result.problem?.type
        if type == ProblemType.quota { outcome.isOverQuota = true }
        // Only what lacks a parent is counted: a full account and a failed group have a cause of
        // their own.
        guard type == ProblemType.missingParent, hasPulled else { return }
        var mutation = mutation
        mutation.deferrals += 1
        if mutation.deferrals >= settling.configuration.loopLimit,
            try !settling.waitsForParent(mutation, transaction), let problem = result.problem
        {
            try giveUp(mutation, sent, problem, &transaction, &outcome)
            if let group = member.group { outcome.exhausted[group] = problem }
        } else {
            try transaction.set(mutation)
        }
    }

    private func giveUp(
        _ mutation: Mutation,
        _ sent: OutstandingMutation,
        _ problem: SyncProblem,
        _ transaction: inout WriteTransaction,
        _ outcome: inout Outcome
    ) throws {
        let refused = mutation.givenUp(for: problem, as: settling.environment.key())
        try transaction.set(refused)
        if refused.frozen == nil { outcome.finished.append(sent) }
        outcome.settled.append(mutation.record)
    }

    /// The rest of a group one of which needs attention does so, too: it is decided about as a whole.
    private func giveUpExhausted(
        _ transaction: inout WriteTransaction,
        _ outcome: inout Outcome
    ) throws {
        if outcome.exhausted.isEmpty { return }
        for member in batch.members {
            guard let problem = member.group.flatMap({ outcome.exhausted[$0] }),
                let mutation = try named(by: member, in: transaction),
                let sent = OutstandingMutation(mutation),
                var state = try transaction.syncRecord(member.record)
            else { continue }
            try giveUp(mutation, sent, problem, &transaction, &outcome)
            try settling.settle(member.record, &state, &transaction)
        }
    }
}
