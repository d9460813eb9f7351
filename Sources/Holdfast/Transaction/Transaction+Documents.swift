import HoldfastStorage

/// Records as the documents that they are stored as.
extension Transaction where Self: ~Copyable {
    /// A record's document, or `nil` where there is none.
    ///
    /// - Complexity: O(log n) and at most one read from the disk.
    package func document(of id: RecordID, in table: TableName) throws -> [UInt8]? {
        try StoreError.translate(table: table, id: id) {
            try state.value(for: RecordKey.bytes(of: id, in: table))
        }
    }

    /// Visits a table's documents in the order of their ids, as they are when it begins.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - id: Where it begins: behind this record, whether it is there or not.
    ///   - visit: Called for each; `false` ends the scan.
    /// - Throws: What `visit` throws, or ``StoreError``.
    package func scanDocuments(
        in table: TableName,
        after id: RecordID? = nil,
        _ visit: (_ id: RecordID, _ document: [UInt8]) throws -> Bool
    ) throws {
        var range = RecordKey.range(of: table)
        if let id { range.lower = RecordKey.bytes(of: id, in: table) + [0] }
        try StoreError.translate(table: table) {
            try state.storage.scan(range, .forward) { key, document in
                try visit(RecordKey.id(of: key), document.array)
            }
        }
    }

    /// The field that holds the ids of a table: `id` in one that was never filled nor declared.
    package func idField(of table: TableName) throws -> String {
        try state.tableRecord(of: table)?.idField ?? "id"
    }
}
