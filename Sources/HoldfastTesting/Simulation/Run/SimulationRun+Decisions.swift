import Holdfast
import HoldfastSync

/// What a person at a replica decides.
extension SimulationRun {
    /// What waits for a decision gets one: at random, but the same for the same seed.
    ///
    /// - Parameters:
    ///   - replica: Where.
    ///   - isLast: Whether what was refused is given up rather than tried once more.
    /// - Throws: ``SimulationFinding``.
    func decide(_ replica: SimulatedReplica, isLast: Bool) async throws {
        guard let process = replica.process else { return }
        await replica.reach(now)
        if case .massDelete(let removals)? = process.machine.activity.pause {
            try await process.machine.accept(removals: removals.set)
        }
        let waiting = try process.store.read { try $0.waitingForDecisions() }
        for record in waiting.questions {
            let choice: ConflictChoice = replica.surroundings.random() % 2 == 0 ? .local : .remote
            try await command(replica) { commands, transaction in
                try commands.resolve(record, choosing: choice, in: &transaction)
                return []
            }
        }
        for key in waiting.refused {
            let triesAgain = !isLast && replica.surroundings.random() % 2 == 0
            try await command(replica) { commands, transaction in
                if triesAgain {
                    // What may have been applied may be so twice: the person says so.
                    let doubtful = try transaction.recordOfDoubtful(key)
                    try commands.retry(key, in: &transaction)
                    return doubtful.map { [$0] } ?? []
                }
                return try commands.discard(key, in: &transaction).map(\.record)
            }
        }
        if !waiting.questions.isEmpty || !waiting.refused.isEmpty {
            try await trigger(.manual, at: replica)
        }
    }

    private func command(
        _ replica: SimulatedReplica,
        _ body:
            @escaping @Sendable (
                AttentionCommands,
                inout WriteTransaction
            ) throws -> [RecordReference]
    ) async throws {
        guard let process = replica.process else { return }
        let commands = process.machine.commands
        var given: [RecordReference] = []
        do {
            given = try await process.store.writeUnrecorded(.synced) { transaction in
                try body(commands, &transaction)
            }
        } catch is SyncError {
            // Something else has decided meanwhile, or it was sent.
        } catch let error as StoreError where error.code == .diskFull {}
        for record in given {
            history.excuse(replica.author, of: record)
            // What a restored server has lost is put again by whoever has it, with others' edits.
            if server.wasRestored { history.excuseAll(knownTo: replica.author, of: record) }
            // An entry of the ledger that a restored server does not get again.
            if record.table == LedgerEntry.table,
                let object = history.views[replica.author].records[record],
                let entry = try? LedgerEntry(json: object)
            {
                wire.giveUp(entry)
            }
        }
        trace.say(now, "replica \(replica.number) decides; gives up \(given)")
        if try await crashIfDue(replica, isEdit: false) { return }
        try await absorb(replica, isEdit: false)
    }
}

extension ReadTransaction {
    /// The conflicts that wait for an answer, and the mutations that were refused.
    func waitingForDecisions() throws -> (questions: [RecordReference], refused: [MutationKey]) {
        var questions: [RecordReference] = []
        var refused: [MutationKey] = []
        try scanSystemKeys(SyncKey.all(.question), .forward) { key in
            if let record = SyncKey.record(of: key) { questions.append(record) }
            return true
        }
        try scanMutations { mutation in
            if case .attention = mutation.state { refused.append(mutation.key) }
            return true
        }
        return (questions, refused)
    }
}

extension WriteTransaction {
    /// The record of a mutation of which it is not known whether it was applied.
    ///
    /// Whoever sends it again says that it shall be so, whatever became of it in the meantime.
    fileprivate func recordOfDoubtful(_ key: MutationKey) throws -> RecordReference? {
        var record: RecordReference?
        try scanMutations { mutation in
            guard mutation.key == key else { return true }
            if mutation.mayCountTwice || mutation.isDoubtful { record = mutation.record }
            return false
        }
        return record
    }
}
