public import Holdfast

/// A record by its table and its id.
public struct RecordReference: Hashable, Sendable {
    /// The table.
    public let table: TableName
    /// The record's id.
    public let id: RecordID

    /// The record of a table with an id.
    public init(_ table: TableName, _ id: RecordID) {
        self.table = table
        self.id = id
    }
}
