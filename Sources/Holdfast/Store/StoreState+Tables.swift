import HoldfastStorage

extension StoreState {
    func description(of table: TableName) throws -> TableDescription? {
        guard let record = try tableRecord(of: table) else { return nil }
        return try description(of: table, record)
    }

    private func description(
        of table: TableName,
        _ record: TableRecord
    ) throws -> TableDescription {
        TableDescription(
            name: table,
            idField: record.idField,
            count: try count(of: table),
            indexes: try declaredIndexes(of: table),
            references: try declaredReferences().filter { $0.table == table }.map(\.reference)
        )
    }

    func tables() throws -> [TableDescription] {
        var names: [TableName] = []
        try StoreError.translate {
            try storage.scanKeys(SystemKey.tables, .forward) { key in
                let parts = SystemKey.parts(of: key)
                if parts.count == 2 { names.append(TableName(stored: parts[1])) }
                return true
            }
        }
        return try names.compactMap { try description(of: $0) }
    }

    /// The indexes that are declared, whether or not they are built.
    func declaredIndexes() throws -> [TableIndex] {
        try Index.Kind.allCases.flatMap { try declaredIndexes($0) }
    }

    /// The indexes of one kind that are declared.
    func declaredIndexes(_ kind: Index.Kind) throws -> [TableIndex] {
        var indexes: [TableIndex] = []
        try StoreError.translate {
            try storage.scanKeys(SystemKey.indexes(kind), .forward) { key in
                if let index = TableIndex(systemKey: key) { indexes.append(index) }
                return true
            }
        }
        return indexes
    }

    func declaredIndexes(of table: TableName) throws -> [Index] {
        try declaredIndexes().filter { $0.table == table }.map(\.index)
    }
}
