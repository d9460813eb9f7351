/// A table as an app declares it: its id field, its indexes and its references.
///
/// ```swift
/// Table(Note.self) {
///     Index("updatedAt")
///     Reference("folder", to: Folder.self, onDelete: .cascade)
/// }
/// Table("stations", idField: "code")
/// ```
public struct Table: Hashable, Sendable {
    /// The table's name.
    public let name: TableName
    /// The field that holds a record's id.
    public let idField: String
    /// The indexes, in the order of their declaration.
    public let indexes: [Index]
    /// The references, in the order of their declaration.
    public let references: [Reference]
    /// What records its writes; no part of what makes two tables equal.
    package var recording: (any TableRecording)?

    /// The table of a type's records.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - contents: The indexes and references.
    public init<Row: Record>(
        _ type: Row.Type,
        @TableBuilder _ contents: () -> TableContents = { TableContents() }
    ) {
        self.init(Row.table, idField: Row.idField, contents)
    }

    /// The table with a name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - idField: The field that holds a record's id.
    ///   - contents: The indexes and references.
    public init(
        _ name: TableName,
        idField: String = "id",
        @TableBuilder _ contents: () -> TableContents = { TableContents() }
    ) {
        let contents = contents()
        self.init(
            name,
            idField: idField,
            indexes: contents.indexes,
            references: contents.references
        )
    }

    /// The table with a name, its indexes and its references as values.
    ///
    /// Whether they go together is checked by the schema that it becomes part of.
    public init(
        _ name: TableName,
        idField: String = "id",
        indexes: [Index],
        references: [Reference] = []
    ) {
        self.name = name
        self.idField = idField
        self.indexes = indexes
        self.references = references
    }

    /// The indexes that a store keeps for it: those that are declared, and one for each reference.
    var storedIndexes: Set<TableIndex> {
        Set((indexes + references.map(\.index)).map { TableIndex($0, on: name) })
    }

    /// Whether both declare the same.
    public static func == (left: Table, right: Table) -> Bool {
        left.name == right.name && left.idField == right.idField && left.indexes == right.indexes
            && left.references == right.references
    }

    /// Feeds what it declares to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(idField)
        hasher.combine(indexes)
        hasher.combine(references)
    }

    var storedReferences: Set<TableReference> {
        Set(references.map { TableReference($0, in: name) })
    }
}
