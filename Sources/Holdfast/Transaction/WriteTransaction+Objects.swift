import HoldfastStorage

extension WriteTransaction {
    /// Puts a record: adds it, or replaces the one that has its id.
    ///
    /// The record's id is the value of the table's id field: text, or an integer taken as its text.
    /// Without that field the record gets `id`, or a minted one, as text in that field.
    ///
    /// - Parameters:
    ///   - object: The record.
    ///   - table: The table; it comes to be with its first record.
    ///   - id: The id, when the caller has it apart from the record.
    /// - Returns: The record's id, and whether it replaced one.
    /// - Throws: ``StoreError`` `.invalidID` when the id field holds no valid id, `.idMismatch`
    ///   when `id` is given and differs from the record's own, `.uniqueConflict`,
    ///   `.transactionTooLarge`.
    /// - Complexity: O(log n).
    @discardableResult
    public mutating func put(
        _ object: JSONObject,
        in table: TableName,
        id: RecordID? = nil
    ) throws -> PutResult {
        let record = try tableRecord(of: table) ?? TableRecord(idField: "id")
        var object = object
        let id = try settleID(of: &object, as: id, in: record, table: table)
        return try store(object, as: id, in: record, table: table)
    }

    /// Sets and removes top-level fields of a record.
    ///
    /// - Parameters:
    ///   - id: The record's id.
    ///   - table: The table.
    ///   - fields: The new values; null is a value. The id field may stand here with the same id.
    ///   - removed: Names of fields to remove, before `fields` is applied.
    /// - Throws: ``StoreError`` `.noSuchRecord`, `.idMismatch` when the id would change, or
    ///   `.uniqueConflict`.
    /// - Complexity: O(log n).
    public mutating func patch(
        _ id: RecordID,
        in table: TableName,
        with fields: JSONObject,
        removing removed: [String] = []
    ) throws {
        guard var object = try get(id, in: table), let record = try tableRecord(of: table) else {
            throw StoreError(
                .noSuchRecord,
                "There is no record with this id; put one, or look for its id with a query.",
                table: table,
                id: id
            )
        }
        for name in removed {
            if UTF8Order.same(name, record.idField) { throw StoreError.idChange(of: id, in: table) }
            object.removeValue(named: name)
        }
        for (name, value) in fields {
            if UTF8Order.same(name, record.idField) {
                if try RecordID(value) != id { throw StoreError.idChange(of: id, in: table) }
            } else {
                object[name] = value
            }
        }
        _ = try store(object, as: id, in: record, table: table)
    }

    /// Deletes a record, and does at once what the references to it say: deletes the records that
    /// refer to it, or sets their field to null.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: ``StoreError`` `.stillReferenced` when a reference with the rule
    ///   ``Reference/DeleteRule/restrict`` holds it back, in a record that would stay. Nothing was
    ///   deleted.
    /// - Complexity: O(log n) for each record that is deleted or changed; without its index each
    ///   reference costs a visit of its table.
    @discardableResult
    public mutating func delete(_ id: RecordID, in table: TableName) throws -> Bool {
        try StoreError.translate(table: table, id: id) {
            try delete(RecordKey.bytes(of: id, in: table), in: table)
        }
    }
}
