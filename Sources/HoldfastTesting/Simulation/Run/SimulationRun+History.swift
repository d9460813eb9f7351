import Holdfast
import HoldfastStorage
import HoldfastSync

/// Taking what was committed into the history.
extension SimulationRun {
    /// Takes a replica's new commits: as edits of the person there, or as what it was shown.
    func absorb(_ replica: SimulatedReplica, isEdit: Bool) async throws {
        guard let process = replica.process else { return }
        let last = try process.store.sequenceNumber
        guard last > replica.sequence else { return }
        let commits: [StoreCommit]
        do {
            commits = try process.store.commits(after: replica.sequence, limit: .max)
        } catch let error as StoreError where error.code == .changesCompacted {
            return try absorbAll(replica, process.store, last)
        }
        var touched: [RecordReference] = []
        var removed: [RecordReference: RecordVersion] = [:]
        var seen: Set<RecordReference> = []
        for commit in commits {
            // What a commit writes and takes back is nobody's edit.
            for change in commit.lastChanges {
                let record = RecordReference(change.table, change.id)
                if seen.insert(record).inserted { touched.append(record) }
                removed[record] = isEdit ? nil : removal(change.record, of: record, at: replica)
                take(change.record, of: record, replica.author, commit.sequenceNumber, isEdit)
            }
        }
        replica.sequence = last
        report.checks += touched.count
        try check(touched, at: replica)
        try await requireGone(removed, from: replica)
    }

    /// The same where the commits themselves are gone: by comparing every record.
    private func absorbAll(
        _ replica: SimulatedReplica,
        _ store: Store,
        _ last: SequenceNumber
    ) throws {
        let records = try store.syncedRecords(tables)
        let shown = history.views[replica.author].records
        for record in Set(records.keys).union(shown.keys).sorted(by: RecordReference.inOrder) {
            guard records[record] != shown[record] else { continue }
            take(records[record], of: record, replica.author, last, false)
        }
        replica.sequence = last
    }

    private func take(
        _ object: JSONObject?,
        of record: RecordReference,
        _ author: Int,
        _ sequence: SequenceNumber,
        _ isEdit: Bool
    ) {
        if isEdit, rules[record.table] != nil {
            history.edit(record, to: object, by: author, at: sequence)
        } else {
            history.show(object, as: record, to: author, at: sequence)
        }
    }

    /// Takes the server's new commits.
    ///
    /// - Returns: The scopes in which a record changed.
    @discardableResult
    func absorbServer(isEdit: Bool) async throws -> Set<ScopeName> {
        var scopes: Set<ScopeName> = []
        for commit in try server.newCommits() {
            for change in commit.lastChanges {
                let record = RecordReference(change.table, change.id)
                let sequence = server.sequence
                let before = history.views[0].records[record]
                for object in [before, change.record] {
                    if let object { scopes.insert(simulation.scope(record, object)) }
                }
                take(change.record, of: record, 0, sequence, isEdit)
            }
        }
        return scopes
    }

    /// The authors that see all that they have read, and may be the only ones who have it.
    var holders: [Int] {
        replicas.filter { !server.hasRevoked(from: $0.principal) }.map(\.author)
    }

    /// After a restore everything on the server may be another.
    func absorbRestoredServer() async throws {
        let records = try server.store.syncedRecords(tables)
        let shown = history.views[0].records
        history.setBackServer(to: server.sequence, heldBy: holders)
        for record in Set(records.keys).union(shown.keys).sorted(by: RecordReference.inOrder)
        where records[record] != shown[record] {
            history.show(records[record], as: record, to: 0, at: server.sequence)
        }
    }

    /// What a replica has not got through when it loses a scope, and what it does there meanwhile,
    /// is sealed: it may reach the server later or not.
    func excuseRevoked(_ replica: SimulatedReplica, _ place: Int) {
        history.excuse(whatIsHeldByNoneOf: holders)
        guard simulation.scopes.indices.contains(place) else { return }
        let scope = simulation.scopes[place]
        for record in history.records {
            let wasThere = history.edits(of: record).contains { edit in
                [edit.before, edit.after].contains {
                    $0.map { simulation.scope(record, $0) == scope } ?? false
                }
            }
            if wasThere { history.excuse(replica.author, of: record) }
        }
    }
}

extension RecordReference {
    static func inOrder(_ left: Self, _ right: Self) -> Bool {
        (left.table, left.id) < (right.table, right.id)
    }
}

extension Store {
    /// Every record of some tables.
    func syncedRecords(_ tables: [TableName]) throws -> [RecordReference: JSONObject] {
        try read { transaction in
            var records: [RecordReference: JSONObject] = [:]
            for table in tables {
                try transaction.forEach(Query(table)) { id, record in
                    records[RecordReference(table, id)] = record
                    return true
                }
            }
            return records
        }
    }
}

extension StoreCommit {
    /// The last change of each record, in the order of the writes.
    fileprivate var lastChanges: [RecordChange] {
        var seen: Set<RecordReference> = []
        return changes.reversed()
            .filter { seen.insert(RecordReference($0.table, $0.id)).inserted }
            .reversed()
    }
}
