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

    static func fieldsAsked(
        by type: (some Decodable).Type,
        in document: [UInt8]
    ) -> KnownFields {
        document.withByteView { bytes in
            var state = DecodingState(bytes, recordsFieldsAsked: true)
            _ = try? decode(type, &state)
            return state.fieldsAsked ?? KnownFields()
        }
    }

    private static func state(of bytes: ByteView) throws -> DecodingState {
        _ = try DocumentReader(bytes)
        return DecodingState(bytes)
    }

    private static func decode<Value: Decodable>(
        _ type: Value.Type,
        _ state: inout DecodingState
    ) throws -> Value {
        try unsafe withUnsafeMutablePointer(to: &state) { state in
            try Value(from: unsafe ValueDecoder(state: state, position: 0, path: nil))
        }
    }
}

/// The `Decoder` of one value of a document.
///
/// It is valid until `init(from:)` of the value that got it returns.
@safe
struct ValueDecoder: Decoder {
    let state: UnsafeMutablePointer<DecodingState>
    /// Where the value's tag is; 0 for the document itself.
    let position: Int
    /// The keys that lead to the value; `nil` for the one whose `init(from:)` runs.
    let path: [any CodingKey]?

    init(state: UnsafeMutablePointer<DecodingState>, position: Int, path: [any CodingKey]?) {
        unsafe self.state = state
        self.position = position
        self.path = path
    }

    var codingPath: [any CodingKey] { unsafe path ?? state.pointee.path }

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        let object = try content(DocumentTag.object, of: [String: Any].self)
        return KeyedDecodingContainer(KeyedValueDecoder(decoder: self, object: object))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let array = try content(DocumentTag.array, of: [Any].self)
        return UnkeyedValueDecoder(decoder: self, array: array)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    /// Where the fields of an object or the elements of an array are.
    private func content(_ tag: UInt8, of type: any Any.Type) throws -> Range<Int> {
        let bytes = unsafe state.pointee.bytes
        if position == 0, tag == DocumentTag.object { return 1..<bytes.count }
        return try read(at: position) { reader in
            let found = position == 0 ? Document.version : try reader.take(UInt8.self)
            guard found == tag, position > 0 else {
                throw DecodingFailure.wrongKind(expected: type, tag: found)
            }
            return try reader.take(Int(reader.take(UInt32.self)))
        }
    }

    /// Reads the value at an offset; errors get the coding path, with `key` behind it.
    @inline(__always)
    func read<Value>(
        at position: Int,
        key: @autoclosure () -> (any CodingKey)? = nil,
        _ read: (inout DocumentReader) throws -> Value
    ) throws -> Value {
        do {
            var reader = unsafe state.pointee.reader(at: position)
            return try read(&reader)
        } catch let failure as DecodingFailure {
            throw failure.decodingError(at: codingPath + (key().map { [$0] } ?? []))
        }
    }
}
