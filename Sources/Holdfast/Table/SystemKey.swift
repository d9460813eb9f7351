import HoldfastStorage

/// The keys of the store's own records, which a leading zero byte keeps apart from every table's.
enum SystemKey {
    /// The keys of all tables' own records.
    static let tables = KeyRange.prefix(bytes(["table"]))
    /// The keys of all index definitions of a kind.
    static func indexes(_ kind: Index.Kind) -> KeyRange { .prefix(bytes([kind.rawValue])) }

    /// The keys of all references.
    static let references = KeyRange.prefix(bytes(["reference"]))
    /// The key of what is known of the schema.
    static let schema = [0] + Array("schema".utf8)
    /// The key of the mark of a store that a server serves.
    static let served = [0] + Array("served".utf8)

    /// The key of what is stored about a table.
    static func table(_ name: TableName) -> [UInt8] {
        bytes(["table"]) + name.text.utf8
    }

    /// The key of an index's definition.
    static func index(_ index: Index, on table: TableName) -> [UInt8] {
        bytes([index.kind.rawValue, table.text] + index.fields.dropLast())
            + (index.fields.last ?? "").utf8
    }

    /// The key of a reference's declaration.
    static func reference(_ reference: Reference, in table: TableName) -> [UInt8] {
        bytes(["reference", table.text, reference.field, reference.target.text])
            + reference.onDelete.rawValue.utf8
    }

    /// The parts of a system key, without the leading zero byte.
    static func parts(of key: RawSpan) -> [String] {
        var parts: [String] = []
        var start = 1
        for position in 1..<max(key.byteCount, 1) where key.byte(at: position) == 0 {
            parts.append(key.text(in: start..<position))
            start = position + 1
        }
        if start <= key.byteCount { parts.append(key.text(in: start..<key.byteCount)) }
        return parts
    }

    /// A zero byte, then each part with a zero byte behind it.
    private static func bytes(_ parts: [String]) -> [UInt8] {
        parts.reduce(into: [0]) { bytes, part in
            bytes.append(contentsOf: part.utf8)
            bytes.append(0)
        }
    }
}
