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
    /// So many records are in memory at a time.
    private static let batch = 2_000

    fileprivate mutating func adoptRecords() throws {
        for table in try transaction.tables() {
            var last: RecordID?
            repeat { last = try adopt(table.name, after: last) } while last != nil
        }
    }

    /// Gives the next records of a table their versions.
    ///
    /// - Returns: The last of them; `nil` when there are no more.
    private mutating func adopt(_ table: TableName, after last: RecordID?) throws -> RecordID? {
        var records: [(id: RecordID, object: JSONObject)] = []
        try transaction.scanDocuments(in: table, after: last) { id, document in
            records.append((id, try Document.decode(document)))
            return records.count < Self.batch
        }
        for (id, object) in records {
            try write(object, of: RecordReference(table, id), .whole)
        }
        try storeSoFar()
        return records.count < Self.batch ? nil : records.last?.id
    }
}
