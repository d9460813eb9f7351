/// Writes the fields of an object.
struct KeyedValueEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    @inline(__always)
    func field(_ key: Key, _ write: () throws -> Void) throws {
        let start = try encoder.beginField(key.stringValue)
        try encoder.undoing(from: start, key: key, write)
    }

    func encodeNil(forKey key: Key) throws { try field(key) { encoder.writeNil() } }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        try field(key) { try encoder.write(value, key) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        superEncoder(forKey: key).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        superEncoder(forKey: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.sideField("super", SuperKey()) }

    func superEncoder(forKey key: Key) -> any Encoder { encoder.sideField(key.stringValue, key) }
}
