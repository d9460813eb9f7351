extension ValueEncoder: SingleValueEncodingContainer {
    @inline(__always)
    private func single(_ write: () throws -> Void) throws {
        let start = try beginScalar()
        try undoing(from: start, key: nil, write)
    }

    func encodeNil() throws { try single { writeNil() } }

    func encode(_ value: Bool) throws { try single { write(value) } }

    func encode(_ value: String) throws { try single { write(value) } }

    func encode(_ value: Double) throws { try single { try write(value) } }

    func encode(_ value: Float) throws { try single { try write(value) } }

    func encode(_ value: Int) throws { try single { try write(value) } }

    func encode(_ value: Int8) throws { try single { try write(value) } }

    func encode(_ value: Int16) throws { try single { try write(value) } }

    func encode(_ value: Int32) throws { try single { try write(value) } }

    func encode(_ value: Int64) throws { try single { try write(value) } }

    func encode(_ value: Int128) throws { try single { try write(value) } }

    func encode(_ value: UInt) throws { try single { try write(value) } }

    func encode(_ value: UInt8) throws { try single { try write(value) } }

    func encode(_ value: UInt16) throws { try single { try write(value) } }

    func encode(_ value: UInt32) throws { try single { try write(value) } }

    func encode(_ value: UInt64) throws { try single { try write(value) } }

    func encode(_ value: UInt128) throws { try single { try write(value) } }

    /// Encodes another value in this one's place.
    func encode(_ value: some Encodable) throws {
        var isLeaf = false
        try single { isLeaf = try writeLeaf(value) }
        if isLeaf { return }
        unsafe state.pointee.reopen()
        try value.encode(to: self)
    }
}
