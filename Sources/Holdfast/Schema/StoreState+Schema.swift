import HoldfastStorage

extension StoreState {
    /// What the store knows of its schema; `nil` when it was never opened with one.
    func storedSchema() throws -> StoredSchema? {
        try StoreError.translate {
            try value(for: SystemKey.schema).map { try StoredSchema(decodeSystem($0)) }
        }
    }

    /// What the store knows of its schema, or what it counts as.
    ///
    /// One without a record is as new as `schema`, whatever was declared in it.
    func storedSchema(opening schema: Schema) throws -> StoredSchema {
        if let stored = try storedSchema() { return stored }
        let records = try StoreError.translate { try storage.count(in: RecordKey.all) }
        return StoredSchema(version: records == 0 ? schema.version : 0)
    }

    /// The references that are declared, table by table.
    func declaredReferences() throws -> [TableReference] {
        var references: [TableReference] = []
        try StoreError.translate {
            try storage.scanKeys(SystemKey.references, .forward) { key in
                if let reference = TableReference(systemKey: key) { references.append(reference) }
                return true
            }
        }
        return references
    }
}

extension Transaction where Self: ~Copyable {
    /// The version of the schema that the store was opened with last; `nil` when it never was.
    public func schemaVersion() throws -> Int? { try state.storedSchema()?.version }

    /// What the store knows of its schema.
    package func storedSchema() throws -> StoredSchema? { try state.storedSchema() }

    /// The references of a table's records, in the byte order of their fields' names.
    package func references(of table: TableName) throws -> [Reference] {
        try state.declaredReferences().filter { $0.table == table }.map(\.reference)
    }
}
