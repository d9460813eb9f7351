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

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decode(type, at: position(key), key)
    }

    func decode<Value: Decodable>(
        _ type: Value.Type,
        at position: Int,
        _ key: Key
    ) throws -> Value {
        if let leaf = LeafType(type) {
            return try decoder.read(leaf, as: type, at: position, key: key)
        }
        let end = decoder.lastEnd
        defer { decoder.resume(object, end) }
        return try decoder.readValue(type, at: position, key: key)
    }

    /// Where the value of a field is.
    @inline(__always)
    func position(_ key: Key) throws -> Int {
        if let position = try decoder.find(key.stringValue, in: object) { return position }
        return try completingPosition(key)
    }

    /// Where the value of a missing field is in what completes the document.
    @inline(never)
    private func completingPosition(_ key: some CodingKey) throws -> Int {
        if let position = try decoder.complete(key.stringValue, in: object) { return position }
        throw DecodingError.keyNotFound(key, .init("The field is missing.", at: codingPath))
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
        let position =
            try decoder.find(SuperKey().stringValue, in: object)
            ?? completingPosition(SuperKey())
        return try decoder.side(at: position, SuperKey())
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        try decoder.side(at: position(key), key)
    }
}
