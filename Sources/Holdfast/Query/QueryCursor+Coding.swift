/// A cursor is a JSON array in base 64: format, fingerprint of the query, id, ordering values.
///
/// Each value stands there as its own JSON text: an array around it could nest too deep.
extension QueryCursor {
    private static let format: JSONValue = 2

    /// The cursor of what comes after a record.
    init(of position: RecordPosition, in query: Query<JSONObject>) throws {
        let id = position.key.withRawSpan { RecordKey.id(of: $0).text }
        let values = try position.values.map { value in
            JSONValue.string(String(decoding: try value.serialized(), as: UTF8.self))
        }
        let parts: JSONValue = [
            Self.format, query.fingerprint, .string(id), .array(values),
        ]
        self.init(Base64URL.encode(try parts.serialized()))
    }

    /// The record that the cursor names.
    ///
    /// - Throws: ``StoreError`` `.invalidCursor` when the text is damaged or another query's.
    func position(in query: Query<JSONObject>) throws -> RecordPosition {
        guard let bytes = Base64URL.decode(description),
            case .array(let parts)? = try? JSONValue(parsing: bytes),
            parts.count == 4, parts[0] == Self.format,
            case .string(let text) = parts[2], let id = try? RecordID(text),
            case .array(let texts) = parts[3],
            let values = try? texts.map(Self.value)
        else {
            throw StoreError(
                .invalidCursor,
                "This is not a cursor; give one as a page of this query printed it.",
                table: query.table
            )
        }
        guard parts[1] == query.fingerprint, values.count == query.order.count else {
            throw StoreError(
                .invalidCursor,
                "The cursor belongs to another query; keep table, filters and order between pages.",
                table: query.table
            )
        }
        return RecordPosition(values: values, key: RecordKey.bytes(of: id, in: query.table))
    }

    private static func value(of part: JSONValue) throws -> JSONValue {
        guard case .string(let text) = part else {
            throw StoreError(.invalidCursor, "A cursor has its values as text.")
        }
        return try JSONValue(parsing: text)
    }
}

extension Query where Row == JSONObject {
    /// A hash of what a cursor depends on: table, filters and order.
    fileprivate var fingerprint: JSONValue {
        var hash = Fingerprint()
        hash.add(table.text)
        for filter in filters { hash.add(filter) }
        for step in order {
            hash.add(step.field)
            hash.add(step.direction == .ascending ? "asc" : "desc")
        }
        return .integer(Int64(bitPattern: hash.value))
    }
}

/// FNV-1a over texts with a byte behind each that no text has.
private struct Fingerprint {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ text: String) { add(text.utf8) }

    mutating func add(_ filter: Filter) {
        switch filter.node {
        case .condition(let condition):
            add(condition.field)
            add(condition.comparison.rawValue)
            add((try? condition.value.serialized()) ?? [])
        case .search(let search): add("search", [search.text] + search.fields)
        case .all(let filters): add("all", filters)
        case .any(let filters): add("any", filters)
        case .not(let filter): add("not", [filter])
        case .tooDeep: add("tooDeep")
        }
    }

    private mutating func add(_ name: String, _ filters: [Filter]) {
        add("(" + name)
        for filter in filters { add(filter) }
        add(")")
    }

    private mutating func add(_ name: String, _ texts: [String]) {
        add("(" + name)
        for text in texts { add(text) }
        add(")")
    }

    private mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        value = (value ^ 0xFF) &* 0x0000_0100_0000_01B3
    }
}
