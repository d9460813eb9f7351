extension Transaction where Self: ~Copyable {
    /// The typed record with an id, or `nil` where there is none.
    ///
    /// - Throws: ``StoreError`` `.wrongType`, with the table, the id and the field, when the stored
    ///   record has another shape than the type; `.corruption` when it cannot be read back.
    /// - Complexity: O(log n) and at most one read from the disk.
    public func get<Row: Record>(_ type: Row.Type, _ id: RecordID) throws -> Row? {
        try state.record(type, for: id)
    }
}
