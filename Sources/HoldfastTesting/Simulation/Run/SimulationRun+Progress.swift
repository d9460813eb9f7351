import Holdfast
import HoldfastStorage
import HoldfastSync

/// What does not go back: positions, deletions, and what was there to be read.
extension SimulationRun {
    /// Takes a look at what an answer has brought a replica to.
    func noteProgress(_ answer: SimulationEvent.Answer) throws {
        let replica = answer.replica
        guard replica.life == answer.life, let process = replica.process else { return }
        switch answer.outgoing.request {
        // Who greets says which scopes there are: one that was taken away begins anew.
        case .changes, .snapshot, .hello:
            let scopes = try process.store.read { try $0.scopeStates() }
            guard let scope = replica.cursors.stepBack(to: scopes) else { return }
            throw SimulationFinding(
                .progressIsKept,
                "The cursor of \(scope) at replica \(replica.number) went back to"
                    + " \(scopes[scope]?.cursor?.text ?? "the beginning")"
            )
        case .push:
            guard case .success(.push(let response)) = answer.result else { return }
            try check(response.results.compactMap { mutationEdits[$0.key]?.record }, at: replica)
            try noteDeletions(response, at: replica, process.store)
        case .records: return
        }
    }

    /// Deletions that the server has acknowledged and the replica has taken for done.
    private func noteDeletions(
        _ response: PushResponse,
        at replica: SimulatedReplica,
        _ store: Store
    ) throws {
        for result in response.results where result.isTombstone {
            guard let version = result.version, let record = mutationEdits[result.key]?.record
            else { continue }
            let state = try store.read { try $0.syncRecord(record) }
            guard state.map({ $0.isClean && $0.isDeleted }) ?? true else { continue }
            replica.deletions[record] = max(version, replica.deletions[record] ?? version)
        }
    }

    /// A record that was deleted here lives again only in a newer state.
    func checkLives(
        _ record: RecordReference,
        _ state: SyncRecord,
        at replica: SimulatedReplica
    ) throws {
        guard let version = replica.deletions[record], state.version < version,
            !server.wasRestored
        else { return }
        throw SimulationFinding(
            .deletedStaysDeleted,
            "Replica \(replica.number) shows it in version \(state.version), though its deletion"
                + " was acknowledged as version \(version)",
            record
        )
    }

    /// The version of a record that a replica no longer shows, if it was known.
    func removal(
        _ object: JSONObject?,
        of record: RecordReference,
        at replica: SimulatedReplica
    ) -> RecordVersion? {
        guard object == nil, rules[record.table] != nil else { return nil }
        return replica.bases[record]
    }

    /// What sync takes away is not on the server as it was here: nobody can have asked for that.
    func requireGone(
        _ removed: [RecordReference: RecordVersion],
        from replica: SimulatedReplica
    ) async throws {
        if removed.isEmpty || server.wasRestored || server.hasRevoked(from: replica.principal) {
            return
        }
        for record in removed.keys.sorted(by: RecordReference.inOrder)
        where await server.version(of: record, for: replica.principal) == removed[record] {
            throw SimulationFinding(
                .readsSeeWrites,
                "Replica \(replica.number) has removed it, and the server has it as it was there",
                record
            )
        }
    }

    /// A server that takes a mutation for a forgotten one has seen it before, or nobody waits for it.
    func requireKnown(_ operations: [PushOperation], _ replica: SimulatedReplica) throws {
        guard !operations.isEmpty, let store = replica.process?.store else { return }
        var waiting: Set<MutationKey> = []
        try store.read { transaction in
            try transaction.scanMutations { mutation in
                waiting.insert(mutation.key)
                return true
            }
        }
        // A device that was set back sends what its former life may have brought to an end.
        let operation = operations.first { operation in
            guard let since = mutationEdits[operation.key]?.since else { return false }
            return waiting.contains(operation.key) && since >= replica.restoredAt ?? .zero
        }
        guard let operation else { return }
        throw SimulationFinding(
            .changesAreKept,
            "A mutation of replica \(replica.number) reached the server for the first time, which"
                + " took it for one that it had forgotten",
            operation.record
        )
    }
}

extension SyncAnswer {
    /// Whether it brings what others did.
    var isPage: Bool {
        switch self {
        case .changes, .snapshot: true
        case .hello, .push, .records: false
        }
    }
}
