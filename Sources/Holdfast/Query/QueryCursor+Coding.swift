/// A cursor is a JSON array in base 64: format, fingerprint of the query, id, ordering values.
extension QueryCursor {
    private static let format: JSONValue = 1

    /// The cursor of what comes after a record.
    init(of position: RecordPosition, in query: Query<JSONObject>) throws {
        let id = position.key.withRawSpan { RecordKey.id(of: $0).text }
        let parts: JSONValue = [
            Self.format, query.fingerprint, .string(id), .array(position.values),
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
            case .array(let values) = parts[3]
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
}

extension Query where Row == JSONObject {
    /// A hash of what a cursor depends on: table, filters and order.
    fileprivate var fingerprint: JSONValue {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
            hash = (hash ^ 0xFF) &* 0x0000_0100_0000_01B3
        }
        add(table.text.utf8)
        for filter in filters {
            add(filter.field.utf8)
            add(filter.comparison.rawValue.utf8)
            add((try? filter.value.serialized()) ?? [])
        }
        for step in order {
            add(step.field.utf8)
            add(step.direction == .ascending ? "asc".utf8 : "desc".utf8)
        }
        return .integer(Int64(bitPattern: hash))
    }
}
