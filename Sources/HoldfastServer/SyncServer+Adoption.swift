import Holdfast
import HoldfastSync

extension SyncServer {
    /// Makes the store a dataset, and gives records that have no version one.
    func adopt() async throws {
        if try store.read({ try $0.datasetRecord() }) != nil { return }
        try await store.writeUnrecorded(.synced) { transaction in
            let record = DatasetRecord(
                dataset: DatasetID(configuration.ids.next().text),
                epoch: EpochID(configuration.ids.next().text)
            )
            try transaction.putSystem(record.bytes, for: ServerKey.dataset)
            _ = try ServerTransaction.run(
                &transaction,
                of: self,
                author: nil,
                principal: nil
            ) { server in try server.adoptRecords() }
        }
    }
}

extension ServerTransaction {
    fileprivate mutating func adoptRecords() throws {
        for table in try transaction.tables() {
            var records: [(RecordID, JSONObject)] = []
            try transaction.scanDocuments(in: table.name) { id, document in
                records.append((id, try Document.decode(document)))
                return true
            }
            for (id, object) in records {
                try write(object, of: RecordReference(table.name, id), .whole)
            }
        }
    }
}
