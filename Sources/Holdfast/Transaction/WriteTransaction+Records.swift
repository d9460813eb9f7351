extension WriteTransaction {
    /// Puts a typed record: adds it, or replaces the one that has its id.
    ///
    /// Fields of the stored record that the type does not know are kept.
    ///
    /// - Returns: The record's id, and whether it replaced one.
    /// - Throws: ``StoreError`` `.notEncodable`, or `.idMismatch` when the type writes another id
    ///   than its `id`.
    /// - Complexity: O(log n).
    @discardableResult
    public mutating func put<Row: Record>(_ record: Row) throws -> PutResult {
        throw StoreError(.invalidQuery, "not yet")
    }

    /// Deletes the record of a type that has an id.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: ``StoreError``; the record is as it was.
    @discardableResult
    public mutating func delete<Row: Record>(_ type: Row.Type, _ id: RecordID) throws -> Bool {
        try delete(id, in: Row.table)
    }
}
