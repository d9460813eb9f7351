import HoldfastStorage

extension WriteTransaction {
    /// Finds a record's id, and writes it into the id field where the record has none.
    mutating func settleID(
        of object: inout JSONObject,
        as given: RecordID?,
        in record: TableRecord,
        table: TableName
    ) throws -> RecordID {
        guard let value = object[record.idField] else {
            let id = given ?? RecordID.make()
            object[record.idField] = .string(id.text)
            return id
        }
        do {
            let own = try RecordID(value)
            if let given, given != own { throw Self.idChange(of: own, in: table) }
            return own
        } catch var error as StoreError {
            error.table = table
            error.field = record.idField
            throw error
        }
    }

    /// Writes a record under its id, and with it what becomes known of its table.
    mutating func store(
        _ object: JSONObject,
        as id: RecordID,
        in record: TableRecord,
        table: TableName
    ) throws -> PutResult {
        var record = record
        if case .integer? = object[record.idField] { record.hasNumberIDs = true }
        let key = RecordKey.bytes(of: id, in: table)
        let value = try encode(object, as: id, in: table)
        if tables[table] == record { return try put(value, at: key, as: id, in: table) }
        return try attempt { transaction in
            try transaction.setTableRecord(record, of: table)
            return try transaction.put(value, at: key, as: id, in: table)
        }
    }

    private func put(
        _ value: [UInt8],
        at key: [UInt8],
        as id: RecordID,
        in table: TableName
    ) throws -> PutResult {
        try StoreError.translate(table: table, id: id) {
            try key.withRawSpan { key in
                let replaced = try storage.contains(key)
                try value.withRawSpan { try storage.put($0, for: key) }
                return PutResult(id: id, replaced: replaced)
            }
        }
    }

    static func idChange(of id: RecordID, in table: TableName) -> StoreError {
        StoreError(
            .idMismatch,
            "The record has another id than the one given, and a record's id cannot change.",
            table: table,
            id: id
        )
    }
}
