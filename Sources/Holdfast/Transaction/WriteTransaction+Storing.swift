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
            let id = given ?? ids.next()
            object[record.idField] = .string(id.text)
            return id
        }
        do {
            let own = try RecordID(value)
            if let given, given != own { throw StoreError.idChange(of: own, in: table) }
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
        let value = try encode(object, as: id, in: table)
        return try store(value, as: id, in: record, table: table)
    }

    /// Writes a record's bytes under its id, and what is known of its table where that is new.
    mutating func store(
        _ value: [UInt8],
        as id: RecordID,
        in record: TableRecord,
        table: TableName
    ) throws -> PutResult {
        if tables[table] == record { return try put(value, as: id, in: table) }
        return try attempt { transaction in
            try transaction.setTableRecord(record, of: table)
            return try transaction.put(value, as: id, in: table)
        }
    }

    private mutating func put(
        _ value: [UInt8],
        as id: RecordID,
        in table: TableName
    ) throws -> PutResult {
        try StoreError.translate(table: table, id: id) {
            let key = RecordKey.bytes(of: id, in: table)
            try check(value, at: key, in: table)
            return PutResult(id: id, replaced: try write(value, at: key, in: table))
        }
    }

    /// Every write of a record by this program itself comes by here.
    ///
    /// - Returns: Whether it replaced one.
    mutating func write(
        _ value: [UInt8],
        at key: [UInt8],
        in table: TableName
    ) throws -> Bool {
        try prepareWrite(at: key, in: table)
        return try key.withRawSpan { key in
            let replaced = try storage.contains(key)
            try value.withRawSpan { try storage.put($0, for: key) }
            return replaced
        }
    }

    /// Every deletion of a record by this program itself comes by here.
    ///
    /// - Returns: Whether there was one.
    mutating func erase(_ key: [UInt8], in table: TableName) throws -> Bool {
        try prepareWrite(at: key, in: table)
        return try key.withRawSpan { try storage.delete($0) }
    }

    private mutating func prepareWrite(at key: [UInt8], in table: TableName) throws {
        if refusesRecords {
            throw StoreError(
                .served,
                "A server serves this store: write records through the server, which delivers them.",
                table: table
            )
        }
        if isRecorded(table) {
            let state = state
            try recording?.touch(key, in: state)
        }
    }

    func encode(
        _ object: JSONObject,
        as id: RecordID,
        in table: TableName
    ) throws -> [UInt8] {
        do {
            return try Document.encode(object)
        } catch {
            throw StoreError(error, storing: id, in: table)
        }
    }
}
