/// What a store knows of one of its tables.
public struct TableDescription: Hashable, Sendable {
    /// The table's name.
    public let name: TableName
    /// The field that holds a record's id.
    public let idField: String
    /// The number of records.
    public let count: Int
    /// The indexes, in the order of their fields' names.
    public let indexes: [Index]
    /// The references, in the order of their fields' names.
    public let references: [Reference]
}
