/// What has to be declared and taken back so that a store has what a schema says.
struct SchemaDifference {
    /// Tables whose id field is not stored yet, or is another one and has no record.
    var tables: [Table] = []
    var newIndexes: [TableIndex] = []
    var newReferences: [TableReference] = []
    /// Declarations of the schema's tables that it does not have, by their keys.
    var obsolete: [[UInt8]] = []

    /// - Throws: ``StoreError`` `.idFieldMismatch` for a table with records that have their ids
    ///   elsewhere.
    init(from state: StoreState, to schema: Schema) throws {
        let tables = Set(schema.tables.map(\.name))
        let indexes = Set(try state.declaredIndexes().filter { tables.contains($0.table) })
        let references = Set(try state.declaredReferences().filter { tables.contains($0.table) })
        let newIndexes = schema.tables.reduce(into: Set()) { $0.formUnion($1.storedIndexes) }
        let newReferences = schema.tables.reduce(into: Set()) { $0.formUnion($1.storedReferences) }
        self.newIndexes = Array(newIndexes.subtracting(indexes))
        self.newReferences = Array(newReferences.subtracting(references))
        obsolete =
            indexes.subtracting(newIndexes).map(\.systemKey)
            + references.subtracting(newReferences).map(\.systemKey)
        self.tables = try schema.tables.filter { try Self.isNew($0, in: state) }
    }

    var isEmpty: Bool {
        tables.isEmpty && newIndexes.isEmpty && newReferences.isEmpty && obsolete.isEmpty
    }

    private static func isNew(_ table: Table, in state: StoreState) throws -> Bool {
        guard let record = try state.tableRecord(of: table.name) else { return true }
        if UTF8Order.same(record.idField, table.idField) { return false }
        if try state.count(of: table.name) == 0 { return true }
        try record.requireIDField(table.idField, in: table.name)
        return false
    }
}
