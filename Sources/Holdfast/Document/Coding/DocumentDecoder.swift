/// Decodes an app's values straight from documents.
package enum DocumentDecoder {
    /// The value that a document holds.
    ///
    /// An integer may be decoded as a `Double`, then the nearest one, and a double without
    /// fraction as an integer. A `Date` is read from any RFC 3339 text.
    ///
    /// - Throws: `DecodingError` with the coding path where the document does not fit the type;
    ///   ``DocumentError`` where it is damaged; what the type's own `init(from:)` throws.
    package static func decode<Value: Decodable>(
        _ type: Value.Type,
        from document: RawSpan
    ) throws -> Value {
        try document.withByteView { (bytes) throws in
            var state = try state(of: bytes)
            return try decode(type, &state)
        }
    }

    /// The value that a document holds.
    package static func decode<Value: Decodable>(
        _ type: Value.Type,
        from document: [UInt8]
    ) throws -> Value {
        try document.withByteView { (bytes) throws in
            var state = try state(of: bytes)
            return try decode(type, &state)
        }
    }

    /// The record that a document holds; what it lacks is taken from the type's default instance.
    ///
    /// - Throws: As ``decode(_:from:)-(_,RawSpan)``; `DecodingError` where the default instance
    ///   does not have what is missing either.
    static func decode<Row: Record>(record type: Row.Type, from document: RawSpan) throws -> Row {
        try document.withByteView { (bytes) throws in
            var state = try state(of: bytes, completing: type)
            return try decode(type, &state)
        }
    }

    static func fieldsAsked(
        by type: (some Decodable).Type,
        in document: [UInt8]
    ) -> KnownFields {
        document.withByteView { bytes in
            let record = type as? any Record.Type
            guard var state = try? state(of: bytes, completing: record, recordsFieldsAsked: true)
            else { return KnownFields() }
            _ = try? decode(type, &state)
            return state.fieldsAsked ?? KnownFields()
        }
    }

    private static func state(
        of bytes: ByteView,
        completing type: (any Record.Type)? = nil,
        recordsFieldsAsked: Bool = false
    ) throws(DocumentError) -> DecodingState {
        _ = try DocumentReader(bytes)
        return DecodingState(
            bytes,
            completion: type.map(RecordCompletion.init(of:)),
            recordsFieldsAsked: recordsFieldsAsked
        )
    }

    private static func decode<Value: Decodable>(
        _ type: Value.Type,
        _ state: inout DecodingState
    ) throws -> Value {
        defer { state.free() }
        return try unsafe withUnsafeMutablePointer(to: &state) { state in
            try Value(from: unsafe ValueDecoder(state: state, position: 0, path: nil))
        }
    }
}
