/// Writes the elements of an array.
struct UnkeyedValueEncoder: UnkeyedEncodingContainer {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    var count: Int { encoder.elementCount }

    @inline(__always)
    private func element(_ write: () throws -> Void) throws {
        let start = try encoder.beginElement()
        try encoder.undoing(from: start, key: PositionKey(count - 1), write)
    }

    func encodeNil() throws { try element { encoder.writeNil() } }

    func encode(_ value: Bool) throws { try element { encoder.write(value) } }

    func encode(_ value: String) throws { try element { encoder.write(value) } }

    func encode(_ value: Double) throws { try element { try encoder.write(value) } }

    func encode(_ value: Float) throws { try element { try encoder.write(value) } }

    func encode(_ value: Int) throws { try element { try encoder.write(value) } }

    func encode(_ value: Int8) throws { try element { try encoder.write(value) } }

    func encode(_ value: Int16) throws { try element { try encoder.write(value) } }

    func encode(_ value: Int32) throws { try element { try encoder.write(value) } }

    func encode(_ value: Int64) throws { try element { try encoder.write(value) } }

    func encode(_ value: Int128) throws { try element { try encoder.write(value) } }

    func encode(_ value: UInt) throws { try element { try encoder.write(value) } }

    func encode(_ value: UInt8) throws { try element { try encoder.write(value) } }

    func encode(_ value: UInt16) throws { try element { try encoder.write(value) } }

    func encode(_ value: UInt32) throws { try element { try encoder.write(value) } }

    func encode(_ value: UInt64) throws { try element { try encoder.write(value) } }

    func encode(_ value: UInt128) throws { try element { try encoder.write(value) } }

    func encode(_ value: some Encodable) throws {
        try element { try encoder.write(value, PositionKey(count - 1)) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        superEncoder().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        superEncoder().unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.sideElement() }
}
