import HoldfastStorage

extension WriteTransaction {
    /// Moves all records of a table into another one, under the same ids: gives the table another
    /// name.
    ///
    /// Its id field, its indexes and its references go with it, and what refers to it refers to the
    /// new name. It is for steps of a migration alone.
    ///
    /// - Returns: How many records there are.
    /// - Throws: ``StoreError`` `.alreadyThere` when the other table has records, `.invalidSchema`
    ///   outside of a step. The transaction is as it was.
    /// - Complexity: O(n log n) for n records.
    @discardableResult
    public mutating func moveTable(_ table: TableName, to name: TableName) throws -> Int {
        if arriving != nil { return 0 }
        guard migration != nil else {
            throw StoreError(.invalidSchema, "Move a table in a step of a migration.", table: table)
        }
        guard let record = try tableRecord(of: table), table != name else { return 0 }
        guard try count(of: name) == 0 else {
            throw StoreError(.alreadyThere, "The table has records already.", table: name)
        }
        return try attempt { transaction in
            let count = try transaction.moveRecords(of: table, to: name)
            try transaction.moveDeclarations(of: table, to: name)
            try transaction.setTableRecord(record, of: name)
            try transaction.removeSystem(SystemKey.table(table))
            transaction.tables[table] = nil
            transaction.migration?.move(table, to: name)
            return count
        }
    }

    private mutating func moveRecords(of table: TableName, to name: TableName) throws -> Int {
        var count = 0
        let storage = storage
        try storage.scan(RecordKey.range(of: table), .forward) { key, value in
            let moved = RecordKey.bytes(of: RecordKey.id(of: key), in: name)
            _ = try write(value.array, at: moved, in: name)
            _ = try erase(key.array, in: table)
            migration?.countRecord()
            count += 1
            return true
        }
        return count
    }

    private mutating func moveDeclarations(of table: TableName, to name: TableName) throws {
        for index in try state.declaredIndexes() where index.table == table {
            try removeSystem(index.systemKey)
            try putSystem(JSONObject(), at: TableIndex(index.index, on: name).systemKey)
        }
        for declared in try state.declaredReferences() {
            let moved = declared.moved(from: table, to: name)
            if moved == declared { continue }
            try removeSystem(declared.systemKey)
            try putSystem(JSONObject(), at: moved.systemKey)
        }
        rules = nil
    }
}

extension TableReference {
    fileprivate func moved(from old: TableName, to new: TableName) -> TableReference {
        let target = reference.target == old ? new : reference.target
        let moved = Reference(stored: reference.field, to: target, onDelete: reference.onDelete)
        return TableReference(moved, in: table == old ? new : table)
    }
}
