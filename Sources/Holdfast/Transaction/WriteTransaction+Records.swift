extension WriteTransaction {
    /// Puts a typed record: adds it, or replaces the one that has its id.
    ///
    /// Fields of the stored record that the type does not know are kept, and the id stays as it
    /// came.
    ///
    /// - Returns: The record's id, and whether it replaced one.
    /// - Throws: ``StoreError`` `.notEncodable`, `.idFieldMismatch` when the table has its ids in
    ///   another field than the type, `.idMismatch` when the type writes another id than its `id`,
    ///   or `.uniqueConflict`.
    /// - Complexity: O(log n).
    @discardableResult
    public mutating func put<Row: Record>(_ record: Row) throws -> PutResult {
        let table = try tableRecord(of: Row.table) ?? TableRecord(idField: Row.idField)
        try table.requireIDField(Row.idField, in: Row.table)
        let new = try encode(record)
        let key = RecordKey.bytes(of: record.id, in: Row.table)
        let stored = try StoreError.translate(table: Row.table, id: record.id) {
            try state.value(for: key)
        }
        guard let stored else {
            return try store(new.bytes, as: record.id, in: table, table: Row.table)
        }
        do {
            let merge = RecordMerge(stored: stored, new: new, idField: table.idField)
            if try table.hasNumberIDs || merge.isNeeded() {
                let merged = try merge.merged(Row.self)
                return try store(merged, as: record.id, in: table, table: Row.table)
            }
        } catch let error as DocumentError {
            throw key.withRawSpan { StoreError(error, at: $0) }
        }
        return try store(new.bytes, as: record.id, in: table, table: Row.table)
    }

    /// Deletes the record of a type that has an id, as ``delete(_:in:)`` does.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: ``StoreError`` `.stillReferenced`; nothing was deleted.
    @discardableResult
    public mutating func delete<Row: Record>(_ type: Row.Type, _ id: RecordID) throws -> Bool {
        try delete(id, in: Row.table)
    }

    private func encode<Row: Record>(_ record: Row) throws -> EncodedDocument {
        let encoded: EncodedDocument
        do {
            encoded = try DocumentEncoder.encode(record)
        } catch {
            throw StoreError(error, storing: record)
        }
        if try Document.holds(record.id, in: Row.idField, of: encoded.bytes) { return encoded }
        let written = try encoded.bytes.withRawSpan { try Document.value(of: Row.idField, in: $0) }
        guard let written, try RecordID(written) == record.id else {
            throw StoreError(
                .idMismatch,
                "\(Row.self) does not write its id into the field \(Row.idField); correct its"
                    + " coding.",
                table: Row.table,
                id: record.id,
                field: Row.idField
            )
        }
        return encoded
    }
}
