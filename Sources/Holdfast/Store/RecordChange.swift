import HoldfastStorage

/// One record's change in a commit.
public struct RecordChange: Hashable, Sendable {
    /// What happened to the record.
    public enum Kind: String, Hashable, Sendable {
        /// It was added or replaced.
        case put
        /// It was deleted.
        case delete
    }

    /// The table.
    public let table: TableName
    /// The record's id.
    public let id: RecordID
    /// What happened to it.
    public let kind: Kind
    /// The record as that write left it; `nil` when it was deleted.
    public let record: JSONObject?
}

extension RecordChange {
    /// The engine's change as a record's; `nil` when it is the store's own.
    init?(_ change: Change) throws {
        let key = change.key.withRawSpan { key in
            RecordKey.isRecord(key) ? (RecordKey.table(of: key), RecordKey.id(of: key)) : nil
        }
        guard let (table, id) = key else { return nil }
        self.table = table
        self.id = id
        kind = change.value == nil ? .delete : .put
        do {
            record = try change.value.map { try Document.decode($0) }
        } catch let error as DocumentError {
            throw change.key.withRawSpan { StoreError(error, at: $0) }
        }
    }
}
