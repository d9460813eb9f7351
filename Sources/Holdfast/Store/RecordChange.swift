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
