import Holdfast

extension ReadTransaction {
    /// The changes that wait, in the order of the outbox.
    func pendingChanges(limit: Int) throws -> [PendingChange] {
        var changes: [PendingChange] = []
        guard limit > 0 else { return changes }
        try scanMutations { mutation in
            changes.append(PendingChange(mutation))
            return changes.count < limit
        }
        return changes
    }

    /// The changes that the server refused, in the order of the outbox.
    func refusedChanges() throws -> [PendingChange] {
        var changes: [PendingChange] = []
        try scanSystemKeys(SyncKey.all(.attention)) { key in
            if let position = SyncKey.position(of: key), let mutation = try mutation(at: position) {
                changes.append(PendingChange(mutation))
            }
            return true
        }
        return changes
    }

    /// The records that wait for a decision.
    func recordConflicts() throws -> [RecordConflict] {
        var conflicts: [RecordConflict] = []
        try scanSystemKeys(SyncKey.all(.question)) { key in
            guard let record = SyncKey.record(of: key), let state = try syncRecord(record),
                let fields = state.question
            else { return true }
            conflicts.append(
                RecordConflict(
                    record: record,
                    fields: fields,
                    base: state.base,
                    local: try get(record.id, in: record.table),
                    remote: state.remote?.state.object
                )
            )
            return true
        }
        return conflicts
    }
}
