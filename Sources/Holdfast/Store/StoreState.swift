import HoldfastStorage

/// One state of a store, as a transaction reads it.
struct StoreState: Sendable {
    let storage: any StorageSnapshot
    private let catalog: IndexCatalog

    init(storage: any StorageSnapshot, catalog: IndexCatalog = IndexCatalog()) {
        self.storage = storage
        self.catalog = catalog
    }

    /// The indexes of a table that this state can be asked for.
    func indexes(of table: TableName) -> TableIndexes {
        catalog.indexes(named: storage.indexNames, of: table)
    }

    /// What is stored about a table, or `nil` when it was neither filled nor declared.
    func tableRecord(of table: TableName) throws -> TableRecord? {
        try StoreError.translate(table: table) {
            guard let value = try value(for: SystemKey.table(table)) else { return nil }
            return try catalog.tableRecord(in: value) { TableRecord(try decodeSystem($0)) }
        }
    }

    func value(for key: [UInt8]) throws -> [UInt8]? {
        try key.withRawSpan { bytes throws(StorageError) in try storage.value(for: bytes) }
    }

    func object(for id: RecordID, in table: TableName) throws -> JSONObject? {
        try StoreError.translate(table: table, id: id) {
            let key = RecordKey.bytes(of: id, in: table)
            guard let value = try value(for: key) else { return nil }
            return try decode(value, at: key)
        }
    }

    func record<Row: Record>(_ type: Row.Type, for id: RecordID) throws -> Row? {
        try StoreError.translate(table: Row.table, id: id) {
            let key = RecordKey.bytes(of: id, in: Row.table)
            guard let value = try value(for: key) else { return nil }
            return try decode(type, value, at: key)
        }
    }

    func contains(_ id: RecordID, in table: TableName) throws -> Bool {
        try StoreError.translate(table: table, id: id) {
            try RecordKey.bytes(of: id, in: table).withRawSpan { try storage.contains($0) }
        }
    }

    func count(of table: TableName) throws -> Int {
        try StoreError.translate(table: table) {
            try storage.count(in: RecordKey.range(of: table))
        }
    }

    func bytes(of table: TableName) throws -> Int {
        try StoreError.translate(table: table) {
            var bytes = 0
            try storage.scan(RecordKey.range(of: table), .forward) { key, value in
                bytes += key.byteCount + value.byteCount
                return true
            }
            return bytes
        }
    }
}
