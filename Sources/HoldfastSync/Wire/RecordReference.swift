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

    /// Whether both name one record.
    public static func == (left: Self, right: Self) -> Bool {
        left.id == right.id && left.table == right.table
    }

    /// Feeds the id to a hasher: few records of different tables share one.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
