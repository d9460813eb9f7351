public import Holdfast

/// What a test says of records that a migration does not leave in their place, or as they were.
public struct MigrationExpectation: Hashable, Sendable {
    /// A record before the migration, or all of a table.
    struct Origin: Hashable, Sendable {
        let table: TableName
        let id: RecordID?
    }

    let origin: Origin
    /// Where the record is found afterwards; `nil` when it is gone.
    let destination: Origin?
    /// The fields that change; `nil` where it is the record's place that does.
    var fields: [String]?

    /// All records of a table are in another one, under the same ids.
    public static func moved(_ table: TableName, to name: TableName) -> MigrationExpectation {
        MigrationExpectation(
            origin: Origin(table: table, id: nil),
            destination: Origin(table: name, id: nil)
        )
    }

    /// A record is in another table, or under another id.
    public static func moved(
        _ id: RecordID,
        in table: TableName,
        to newID: RecordID,
        in name: TableName
    ) -> MigrationExpectation {
        MigrationExpectation(
            origin: Origin(table: table, id: id),
            destination: Origin(table: name, id: newID)
        )
    }

    /// All records of a table are gone.
    public static func removed(_ table: TableName) -> MigrationExpectation {
        MigrationExpectation(origin: Origin(table: table, id: nil), destination: nil)
    }

    /// Fields of a table's records get other values, or are gone.
    ///
    /// A field that only gets another name needs no word: the record has its value still.
    ///
    /// - Parameters:
    ///   - fields: Their names before the migration.
    ///   - table: The table's name before the migration.
    /// - Returns: The expectation.
    public static func changed(_ fields: String..., in table: TableName) -> MigrationExpectation {
        MigrationExpectation(
            origin: Origin(table: table, id: nil),
            destination: nil,
            fields: fields
        )
    }

    /// A record is gone.
    public static func removed(_ id: RecordID, in table: TableName) -> MigrationExpectation {
        MigrationExpectation(origin: Origin(table: table, id: id), destination: nil)
    }
}
