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
            if object != nil { try checkLives(record, state, at: replica) }
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
            try checkWatchers(process, transaction)
            report.checks += count
        }
    }

    /// Whoever has a good network goes on pulling while pushes are refused.
    func requirePulls() throws {
        guard let start = server.pushesFailSince else { return }
        let configuration = simulation.configuration
        let interval = configuration.interval + .seconds(15)
        for replica in replicas {
            guard let process = replica.process, let goodSince = replica.goodSince,
                process.machine.activity.pause == nil, !server.hasRevoked(from: replica.principal)
            else { continue }
            // What failed before that may wait for its next attempt.
            let begin = max(start, goodSince, replica.lastPause)
            let isGoingOn = replica.lastPage >= begin
            let time = now - max(begin, replica.lastPage)
            guard time > (isGoingOn ? interval : interval + configuration.backoffCap) else {
                continue
            }
            throw SimulationFinding(
                .pullsGoOn,
                "Replica \(replica.number) has received nothing for \(time.clockText), while the"
                    + " server fails at pushes alone"
            )
        }
    }

    /// What was shown to those who look on is what there is.
    private func checkWatchers(
        _ process: SimulatedProcess,
        _ transaction: borrowing ReadTransaction
    ) throws {
        for watcher in process.watchers {
            try watcher.catchUp(process.store)
            guard try !watcher.isCurrent(in: transaction) else { continue }
            throw SimulationFinding(
                .watchersAreCurrent,
                "A watcher of \(watcher.table) was shown something else than a query gives"
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
            // A restored device asks about a step that its former life may have sent again.
            let isAsked = replica.wasRestored && mutation.mayCountTwice
            if case .attention(let problem) = mutation.state, !isAsked,
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
