public import Holdfast

/// What a test says of records that a migration does not leave in their place.
public struct MigrationExpectation: Hashable, Sendable {
    /// A record before the migration, or all of a table.
    struct Origin: Hashable, Sendable {
        let table: TableName
        let id: RecordID?
    }

    let origin: Origin
    /// Where the record is found afterwards; `nil` when it is gone.
    let destination: Origin?

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

    /// A record is gone.
    public static func removed(_ id: RecordID, in table: TableName) -> MigrationExpectation {
        MigrationExpectation(origin: Origin(table: table, id: id), destination: nil)
    }
}
