/// Reads the fields of an object.
struct KeyedValueDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ValueDecoder
    /// Where the fields are.
    let object: Range<Int>

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] { decoder.names(in: object).compactMap(keyAsked) }

    private func keyAsked(_ name: String) -> Key? {
        guard let key = Key(stringValue: name) else { return nil }
        decoder.recordAsked(name, in: object)
        return key
    }

    func contains(_ key: Key) -> Bool {
        (try? decoder.find(key.stringValue, in: object)) != nil
    }

    func decodeNil(forKey key: Key) throws -> Bool { decoder.isNull(at: try position(key)) }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try decoder.read(at: position(key), key: key) { try $0.decodeBool() }
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try decoder.read(at: position(key), key: key) { try $0.decodeText() }
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try decoder.read(at: position(key), key: key) { try $0.decodeDouble() }
    }

    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try decoder.read(at: position(key), key: key) { try $0.decodeFloat() }
    }

    func decode<Integer: FixedWidthInteger & Decodable>(
        _ type: Integer.Type,
        forKey key: Key
    ) throws -> Integer {
        try decoder.read(at: position(key), key: key) { try $0.decodeInteger(type) }
    }

    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try decoder.read(at: position(key), key: key) { try $0.decodeInteger(type) }
    }

    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try decoder.read(at: position(key), key: key) { try $0.decodeInteger(type) }
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decode(type, at: position(key), key)
    }

    func decode<Value: Decodable>(
        _ type: Value.Type,
        at position: Int,
        _ key: Key
    ) throws -> Value {
        if let leaf = try decoder.readLeaf(type, at: position, key: key) { return leaf }
        let end = decoder.lastEnd
        defer { decoder.resume(object, end) }
        return try decoder.readValue(type, at: position, key: key)
    }

    /// Where the value of a field is.
    @inline(__always)
    private func position(_ key: Key) throws -> Int {
        if let position = try decoder.find(key.stringValue, in: object) { return position }
        throw DecodingError.keyNotFound(
            key,
            .init(codingPath: codingPath, debugDescription: "The field is missing.")
        )
    }

    /// Where the value of a field is; `nil` where it is missing or null.
    @inline(__always)
    func positionIfPresent(_ key: Key) throws -> Int? {
        guard let position = try decoder.find(key.stringValue, in: object) else { return nil }
        return decoder.isNull(at: position) ? nil : position
    }
}

extension KeyedValueDecoder {
    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder.side(at: position(key), key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder.side(at: position(key), key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        guard let position = try decoder.find("super", in: object) else {
            throw DecodingError.keyNotFound(
                SuperKey(),
                .init(codingPath: codingPath, debugDescription: "The field is missing.")
            )
        }
        return decoder.side(at: position, SuperKey())
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        decoder.side(at: try position(key), key)
    }
}
