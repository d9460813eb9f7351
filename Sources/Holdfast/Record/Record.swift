/// A type whose values are records of one table.
///
/// ```swift
/// struct Note: Record {
///     static let table: TableName = "notes"
///     var id = RecordID.make()
///     var title = ""
/// }
/// ```
///
/// Fields that a stored record has and the type does not know are kept when the record is written
/// back.
public protocol Record: Codable, Sendable, Identifiable where ID == RecordID {
    /// The table that the records stand in.
    static var table: TableName { get }

    /// The name under which the type's coding writes the id; `id` unless the type says otherwise.
    static var idField: String { get }
}

extension Record {
    /// `id`.
    public static var idField: String { "id" }

    /// Every record of the table, to be narrowed, ordered and limited.
    public static var query: Query<Self> { Query(rowsOf: table) }
}
