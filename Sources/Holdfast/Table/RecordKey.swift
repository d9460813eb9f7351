import HoldfastStorage

/// The keys of records in the engine: the table's name, a zero byte, the id.
///
/// Neither a name nor an id has a zero byte, so keys of one table stand together, in the byte order
/// of the ids, and no two records share one.
enum RecordKey {
    /// The keys of all tables: all but the store's own.
    static let all = KeyRange(from: [1])

    static func bytes(of id: RecordID, in table: TableName) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(table.text.utf8.count + 1 + id.byteCount)
        bytes.append(contentsOf: table.text.utf8)
        bytes.append(0)
        id.append(to: &bytes)
        return bytes
    }

    /// What every key of a table begins with.
    static func prefix(of table: TableName) -> [UInt8] {
        Array(table.text.utf8) + [0]
    }

    /// The keys of a table.
    static func range(of table: TableName) -> KeyRange {
        .prefix(prefix(of: table))
    }

    /// Whether a key is a record's and not the store's own.
    static func isRecord(_ key: RawSpan) -> Bool {
        !key.isEmpty && key.byte(at: 0) != 0
    }

    /// The table of a record's key.
    static func table(of key: RawSpan) -> TableName {
        TableName(stored: key.text(in: 0..<separator(in: key)))
    }

    /// The id of a record's key.
    static func id(of key: RawSpan) -> RecordID {
        let start = min(separator(in: key) + 1, key.byteCount)
        let id = key.extracting(start..<key.byteCount)
        if let uuid = id.withByteView({ PackedUUID($0) }) { return RecordID(uuid) }
        return RecordID(stored: key.text(in: start..<key.byteCount))
    }

    private static func separator(in key: RawSpan) -> Int {
        var position = 0
        while position < key.byteCount, key.byte(at: position) != 0 { position += 1 }
        return position
    }
}
