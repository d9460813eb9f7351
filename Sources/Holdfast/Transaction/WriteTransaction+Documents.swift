import HoldfastStorage

/// Records as others have decided them, such as a server: no rule is checked, a deletion takes
/// nothing along, and nothing is recorded.
extension WriteTransaction {
    /// Writes a record under an id.
    ///
    /// An id field that lacks or holds another id gets this one, as text: no record stands under an
    /// id that is not its own.
    ///
    /// - Throws: ``StoreError`` `.notEncodable` or `.transactionTooLarge`; the transaction is as it
    ///   was.
    package mutating func putDocument(
        _ object: JSONObject,
        of id: RecordID,
        in table: TableName
    ) throws {
        var record = try tableRecord(of: table) ?? TableRecord(idField: "id")
        var object = object
        if (try? object[record.idField].map(RecordID.init)) != id {
            object[record.idField] = .string(id.text)
        }
        if case .integer? = object[record.idField] { record.hasNumberIDs = true }
        let document = try encode(object, as: id, in: table)
        try putDocument(document, of: id, in: table, record)
    }

    /// Writes a record's document under an id, as ``putDocument(_:of:in:)-(JSONObject,_,_)`` does.
    ///
    /// - Throws: ``StoreError`` `.corruption` for bytes that are no document.
    package mutating func putDocument(
        _ document: [UInt8],
        of id: RecordID,
        in table: TableName
    ) throws {
        let record = try tableRecord(of: table) ?? TableRecord(idField: "id")
        do {
            if try !Document.holds(id, in: record.idField, of: document) {
                try putDocument(Document.decode(document), of: id, in: table)
                return
            }
        } catch let error as DocumentError {
            throw RecordKey.bytes(of: id, in: table).withRawSpan { StoreError(error, at: $0) }
        }
        try putDocument(document, of: id, in: table, record)
    }

    /// Deletes a record.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    package mutating func deleteDocument(of id: RecordID, in table: TableName) throws -> Bool {
        try StoreError.translate(table: table, id: id) {
            try storage.delete(RecordKey.bytes(of: id, in: table))
        }
    }

    private mutating func putDocument(
        _ document: [UInt8],
        of id: RecordID,
        in table: TableName,
        _ record: TableRecord
    ) throws {
        try StoreError.translate(table: table, id: id) {
            try storage.put(document, for: RecordKey.bytes(of: id, in: table))
        }
        try setTableRecord(record, of: table)
    }
}
