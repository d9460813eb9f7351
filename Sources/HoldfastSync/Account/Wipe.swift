import Holdfast

/// Removes everything of an account from a store, a part at a time.
struct Wipe: Sendable {
    let store: Store
    private let limit = 1_000

    init(store: Store) { self.store = store }

    /// What is known of the replica goes last: until then it is signed out.
    func run() async throws {
        for table in store.schema?.tables ?? [] where table.syncRules != nil {
            while try await removeRecords(of: table.name) {}
        }
        while try await removeKnownRecords() {}
        try await store.writeUnrecorded(.synced) { transaction in
            _ = try transaction.deleteSystem(in: SyncKey.everything)
        }
    }

    private func removeRecords(of table: TableName) async throws -> Bool {
        let limit = limit
        return try await store.writeUnrecorded { transaction in
            var ids: [RecordID] = []
            try transaction.scanDocuments(in: table) { id, _ in
                ids.append(id)
                return ids.count < limit
            }
            for id in ids {
                try transaction.deleteDocument(of: id, in: table)
                try transaction.removeSyncRecord(RecordReference(table, id))
            }
            return ids.count == limit
        }
    }

    /// Removes records of tables that the schema does not know.
    private func removeKnownRecords() async throws -> Bool {
        let limit = limit
        return try await store.writeUnrecorded { transaction in
            var records: [RecordReference] = []
            var visited = 0
            try transaction.scanSystemKeys(SyncKey.all(.record)) { key in
                visited += 1
                if let record = SyncKey.record(of: key) { records.append(record) }
                return visited < limit
            }
            for record in records {
                try transaction.deleteDocument(of: record.id, in: record.table)
                try transaction.removeSyncRecord(record)
            }
            return visited == limit && !records.isEmpty
        }
    }
}
