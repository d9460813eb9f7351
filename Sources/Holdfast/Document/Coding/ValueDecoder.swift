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
        if position == 0, tag == DocumentTag.object { return unsafe 1..<state.pointee.end }
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
