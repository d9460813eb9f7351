import Holdfast
import HoldfastStorage
import HoldfastSync

/// The end of a run: all comes to rest, and everything is looked at.
extension SimulationRun {
    private static let rounds = 12

    /// Heals everything, and lets time pass until nothing is left to do.
    func settle() async throws {
        try await heal()
        for replica in replicas where replica.process == nil {
            queue.add(.start(replica: replica.number, life: replica.life), at: now)
        }
        // What failed has to be tried again by the clock alone: nobody is poked.
        let patience = simulation.configuration.backoffCap + .seconds(120)
        isSettling = true
        try await runEvents(until: now + patience)
        try requireDrained()
        isSettling = false
        for round in 0..<Self.rounds {
            for replica in replicas { try await trigger(.manual, at: replica) }
            try await runEvents(until: now + .seconds(20))
            if try isAtRest() { return }
            for replica in replicas { try await decide(replica, isLast: round > 2) }
        }
        throw SimulationFinding(
            .itComesToRest,
            "After \(Self.rounds) rounds on a healthy network "
                + (try restlessness() ?? "all is at rest")
        )
    }

    /// What needs nobody's decision has been sent by now, although nothing asked for it.
    private func requireDrained() throws {
        for replica in replicas {
            guard let process = replica.process, !process.machine.waitsForSomebody else { continue }
            let waiting = try process.store.read { try $0.mutationThatWaits() }
            guard let waiting else { continue }
            throw SimulationFinding(
                .failuresAreRetried,
                "Replica \(replica.number) still has a mutation to send, long after the network"
                    + " came back: \(waiting.change), \(waiting.state)"
                    + (waiting.group.map { ", in the group \($0)" } ?? ""),
                waiting.record
            )
        }
    }

    /// Whether nothing is pending and every replica equals the server.
    private func isAtRest() throws -> Bool { try restlessness() == nil }

    private func restlessness() throws -> String? {
        let records = try server.store.syncedRecords(tables)
        for replica in replicas {
            guard let process = replica.process else { return "replica \(replica.number) is down" }
            let count = try process.store.read { try $0.pendingCount() }
            if count > 0 {
                let waiting = try process.store.read { try $0.firstMutation() }
                return "replica \(replica.number) has \(count) changes pending, the first of"
                    + " \(waiting.map { "\($0.record.table) \($0.record.id): \($0.state)" } ?? "")"
                    + " (pause: \(process.machine.activity.pause.map { "\($0)" } ?? "none"))"
            }
            let status = try process.store.read {
                try $0.syncStatus(process.machine.activity, at: now)
            }
            if !status.isSynced { return "replica \(replica.number) is not synced: \(status)" }
            let own = try process.store.syncedRecords(tables)
            if own != records {
                let different = Set(own.keys).union(records.keys)
                    .sorted(by: RecordReference.inOrder).first { own[$0] != records[$0] }
                return different.map { record in
                    "replica \(replica.number) has \(record.table) \(record.id) as"
                        + " \(own[record].map { "\(JSONValue.object($0))" } ?? "nothing") and the server"
                        + " \(records[record].map { "\(JSONValue.object($0))" } ?? "nothing")"
                }
            }
        }
        return nil
    }

    /// Whether each edit is accounted for.
    func auditEverything() async throws {
        for replica in replicas { try checkAll(replica) }
        var outcome = EditAudit.Outcome()
        for (record, object) in try server.store.syncedRecords(tables) {
            if record.table == LedgerEntry.table {
                if let entry = try? LedgerEntry(json: object) { outcome.ledger.append(entry) }
            } else {
                outcome.records[record] = object
            }
        }
        report.ledgerEntries = outcome.ledger.count
        // A restored server may have lost entries that nobody had read.
        if server.wasRestored { outcome.ledger += wire.discards }
        let idFields = simulation.schema.tables.reduce(into: [:]) { $0[$1.name] = $1.idField }
        let audit = EditAudit(
            history,
            rules: rules,
            idFields: idFields,
            outcome,
            serverWasRestored: server.wasRestored,
            restoredAuthors: Set(replicas.filter(\.wasRestored).map(\.author))
        )
        if let finding = audit.finding() { throw finding }
        for record in outcome.records.keys.sorted(by: RecordReference.inOrder) {
            trace.mix(UInt64(record.id.text.utf8.count))
            if let object = outcome.records[record] {
                trace.mix(try object.serialized())
            }
        }
    }
}

extension SyncMachine {
    /// Whether it stands still until somebody does something.
    fileprivate var waitsForSomebody: Bool {
        switch activity.pause {
        case nil, .offline, .unreachable, .quota, .invalidAnswers, .upgrade, .forbidden,
            .misconfigured:
            false
        case .auth, .dataset, .massDelete, .signedOut: true
        }
    }
}

extension Transaction where Self: ~Copyable {
    /// A mutation that waits for nobody's decision.
    func mutationThatWaits() throws -> Mutation? {
        var mutations: [Mutation] = []
        var blocked: Set<RecordReference> = []
        try scanMutations { mutation in
            mutations.append(mutation)
            if case .attention = mutation.state { blocked.insert(mutation.record) }
            if try syncRecord(mutation.record)?.question != nil { blocked.insert(mutation.record) }
            return true
        }
        // What waits for somebody holds back its record, its group, and what refers to it.
        var count = -1
        while count < blocked.count {
            count = blocked.count
            let groups = Set(mutations.filter { blocked.contains($0.record) }.compactMap(\.group))
            for mutation in mutations where !blocked.contains(mutation.record) {
                let isInGroup = mutation.group.map { groups.contains($0) } ?? false
                if try isInGroup || refers(mutation, to: blocked) {
                    blocked.insert(mutation.record)
                }
            }
        }
        return mutations.first { !blocked.contains($0.record) }
    }

    private func refers(_ mutation: Mutation, to records: Set<RecordReference>) throws -> Bool {
        let object: JSONObject? =
            switch mutation.change {
            case .put(let object): object
            case .patch(let set, _): set
            case .delete, .delta, .action: nil
            }
        let ids = (object ?? [:]).compactMap(\.value.stringValue)
        return try records.contains { record in
            guard ids.contains(record.id.text), let state = try syncRecord(record) else {
                return false
            }
            return state.version == RecordVersion(0)
        }
    }

    func firstMutation() throws -> Mutation? {
        var first: Mutation?
        try scanMutations { mutation in
            first = mutation
            return false
        }
        return first
    }
}
