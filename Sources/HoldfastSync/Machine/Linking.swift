import Holdfast
import HoldfastStorage

/// Queues records that have no state of their own, a part at a time.
struct Linking: Sendable {
    let settling: Settling
    let table: TableName
    /// How many records a part has.
    let limit: Int

    /// Queues the next records.
    ///
    /// - Returns: Where to go on; `nil` at the end.
    func apply(after id: RecordID?, to transaction: inout WriteTransaction) throws -> RecordID? {
        var ids: [RecordID] = []
        try transaction.scanDocuments(in: table, after: id) { id, _ in
            ids.append(id)
            return ids.count < limit
        }
        for id in ids {
            let record = RecordReference(table, id)
            guard try transaction.syncRecord(record) == nil,
                let object = try transaction.get(id, in: table)
            else { continue }
            var state = SyncRecord()
            try settling.queue(.put(object), of: record, &state, &transaction)
            try settling.store(record, &state, nil, &transaction)
        }
        return ids.count < limit ? nil : ids.last
    }
}
