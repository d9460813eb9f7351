import HoldfastStorage

extension WriteTransaction {
    /// Names a table's id field, which every later put into the table follows.
    ///
    /// A table that was never declared gets the field `id` with its first record.
    ///
    /// - Throws: ``StoreError`` `.idFieldMismatch` when the table has another id field already.
    public mutating func declare(_ table: TableName, idField: String) throws {
        let record = try tableRecord(of: table) ?? TableRecord(idField: idField)
        try record.requireIDField(idField, in: table)
        try setTableRecord(record, of: table)
    }

    /// What is stored about a table, `nil` when it was neither filled nor declared; read once a
    /// transaction.
    mutating func tableRecord(of table: TableName) throws -> TableRecord? {
        if let record = tables[table] { return record }
        let record = try state.tableRecord(of: table)
        tables[table] = record
        return record
    }

    /// Stores what is known of a table, where it is new.
    mutating func setTableRecord(_ record: TableRecord, of table: TableName) throws {
        if tables[table] == record { return }
        try putSystem(record.object, at: SystemKey.table(table))
        tables[table] = record
    }

    /// Stores an index's definition.
    ///
    /// - Returns: Whether it is new.
    /// - Throws: ``StoreError`` `.uniqueConflict` when records do not keep it.
    mutating func declare(_ index: TableIndex) throws -> Bool {
        let key = index.systemKey
        return try StoreError.translate(table: index.table) {
            if try key.withRawSpan({ try storage.contains($0) }) { return false }
            if index.index.kind == .unique { try RuleVerification(state: state).verify(index) }
            try putSystem(JSONObject(), at: key)
            rules = nil
            return true
        }
    }

    /// Removes an index's definition.
    ///
    /// - Returns: Whether there was one.
    mutating func drop(_ index: TableIndex) throws -> Bool {
        rules = nil
        return try StoreError.translate(table: index.table) {
            try index.systemKey.withRawSpan { try storage.delete($0) }
        }
    }

    func putSystem(_ object: JSONObject, at key: [UInt8]) throws {
        let value = try Document.encode(object)
        try StoreError.translate {
            try key.withRawSpan { key in
                try value.withRawSpan { value in try storage.put(value, for: key) }
            }
        }
    }
}
