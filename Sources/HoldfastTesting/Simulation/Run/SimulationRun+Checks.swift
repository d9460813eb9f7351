import Holdfast
import HoldfastStorage
import HoldfastSync

/// What has to be true at every moment.
extension SimulationRun {
    /// A record is its base with its mutations, and its base never goes back.
    func check(_ records: [RecordReference], at replica: SimulatedReplica) throws {
        guard let process = replica.process, !records.isEmpty else { return }
        try process.store.read { transaction in
            for record in records where rules[record.table] != nil {
                let object = try transaction.get(record.id, in: record.table)
                try check(record, object, at: replica, transaction)
            }
        }
    }

    private func check(
        _ record: RecordReference,
        _ object: JSONObject?,
        at replica: SimulatedReplica,
        _ transaction: borrowing ReadTransaction
    ) throws {
        if object != history.views[replica.author].records[record] {
            throw SimulationFinding(
                .readsSeeWrites,
                "Replica \(replica.number) reads another record than its commits have left",
                record
            )
        }
        guard let state = try transaction.syncRecord(record) else {
            guard object == nil else {
                throw SimulationFinding(
                    .changesAreKept,
                    "Replica \(replica.number) has the record, and sync does not know of it",
                    record
                )
            }
            replica.bases[record] = nil
            return
        }
        let base = replica.bases.updateValue(state.version, forKey: record)
        if let base, state.version < base, state.version.number != 0,
            !server.wasRestored
        {
            throw SimulationFinding(
                .progressIsKept,
                "The base at replica \(replica.number) went back from version \(base) to"
                    + " \(state.version)",
                record
            )
        }
        if state.isClean {
            guard state.isDeleted == (object == nil) else {
                throw SimulationFinding(
                    .changesAreKept,
                    "Replica \(replica.number) takes the record for clean, and it is not as sync"
                        + " says",
                    record
                )
            }
            return
        }
        let agreed = state.isDeleted ? nil : state.base
        guard try transaction.mutations(of: state).applied(to: agreed) == object else {
            throw SimulationFinding(
                .changesAreKept,
                "At replica \(replica.number) the record is not its base with its mutations",
                record
            )
        }
    }

    /// The same for every record, and for the outbox as a whole.
    func checkAll(_ replica: SimulatedReplica) throws {
        guard let process = replica.process else { return }
        replica.checkedSequence = replica.sequence
        let shown = history.views[replica.author].records
        try process.store.read { transaction in
            var count = 0
            var missing = Set(shown.keys)
            for table in tables {
                let isSynced = rules[table] != nil
                try transaction.forEach(Query(table)) { id, object in
                    let record = RecordReference(table, id)
                    count += 1
                    missing.remove(record)
                    if isSynced { try check(record, object, at: replica, transaction) }
                    return true
                }
            }
            if let record = missing.min(by: RecordReference.inOrder) {
                throw SimulationFinding(
                    .readsSeeWrites,
                    "Replica \(replica.number) has lost a record without a commit",
                    record
                )
            }
            try checkOutbox(replica, transaction)
            report.checks += count
        }
    }

    /// Whoever had a good network went on pulling while pushes were refused.
    func requirePulls(since start: Duration) throws {
        let patience = simulation.configuration.interval * 2 + .seconds(10)
        guard now - start > patience else { return }
        for replica in replicas {
            guard let process = replica.process, let since = replica.goodSince, since <= start,
                process.machine.activity.pause == nil, now - replica.lastPage > patience
            else { continue }
            throw SimulationFinding(
                .pullsGoOn,
                "Replica \(replica.number) received nothing for \((now - replica.lastPage).clockText)"
                    + " while the server refused pushes alone"
            )
        }
    }

    /// Every mutation of the outbox belongs to its record, and the other way round.
    private func checkOutbox(
        _ replica: SimulatedReplica,
        _ transaction: borrowing ReadTransaction
    ) throws {
        var count = 0
        var listed: [RecordReference: [Mutation.Position]] = [:]
        try transaction.scanMutations { mutation in
            count += 1
            if case .attention(let problem) = mutation.state,
                problem.type != ProblemType.scopeRevoked, !wire.refused.contains(mutation.record)
            {
                throw SimulationFinding(
                    .failuresAreRetried,
                    "Replica \(replica.number) has a mutation that needs attention"
                        + " (\(problem.detail)), and the server never refused it",
                    mutation.record
                )
            }
            listed[mutation.record, default: []].append(mutation.position)
            return true
        }
        let status = try transaction.syncStatus(replica.process?.machine.activity, at: now)
        guard status.pending == count, !status.isSynced || count == 0 else {
            throw SimulationFinding(
                .statusIsHonest,
                "Replica \(replica.number) says '\(status)' with \(count) mutations in its outbox"
            )
        }
        for (record, positions) in listed {
            let state = try transaction.syncRecord(record)
            guard state?.mutations.sorted() == positions else {
                throw SimulationFinding(
                    .changesAreKept,
                    "The outbox of replica \(replica.number) has other mutations than the record",
                    record
                )
            }
        }
    }
}
