extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { isNull(at: position) && position > 0 }

    func decode(_ type: Bool.Type) throws -> Bool { try single { try $0.decodeBool() } }

    func decode(_ type: String.Type) throws -> String { try single { try $0.decodeText() } }

    func decode(_ type: Double.Type) throws -> Double { try single { try $0.decodeDouble() } }

    func decode(_ type: Float.Type) throws -> Float { try single { try $0.decodeFloat() } }

    func decode(_ type: Int.Type) throws -> Int { try single { try $0.decodeInteger(type) } }

    func decode(_ type: Int8.Type) throws -> Int8 { try single { try $0.decodeInteger(type) } }

    func decode(_ type: Int16.Type) throws -> Int16 { try single { try $0.decodeInteger(type) } }

    func decode(_ type: Int32.Type) throws -> Int32 { try single { try $0.decodeInteger(type) } }

    func decode(_ type: Int64.Type) throws -> Int64 { try single { try $0.decodeInteger(type) } }

    func decode(_ type: Int128.Type) throws -> Int128 { try single { try $0.decodeInteger(type) } }

    func decode(_ type: UInt.Type) throws -> UInt { try single { try $0.decodeInteger(type) } }

    func decode(_ type: UInt8.Type) throws -> UInt8 { try single { try $0.decodeInteger(type) } }

    func decode(_ type: UInt16.Type) throws -> UInt16 { try single { try $0.decodeInteger(type) } }

    func decode(_ type: UInt32.Type) throws -> UInt32 { try single { try $0.decodeInteger(type) } }

    func decode(_ type: UInt64.Type) throws -> UInt64 { try single { try $0.decodeInteger(type) } }

    func decode(_ type: UInt128.Type) throws -> UInt128 {
        try single { try $0.decodeInteger(type) }
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if position > 0, let leaf = LeafType(type) { return try read(leaf, as: type, at: position) }
        return try Value(from: self)
    }

    /// Reads a value that is not the document itself, which is an object.
    private func single<Value>(_ read: (inout DocumentReader) throws -> Value) throws -> Value {
        guard position > 0 else {
            throw DecodingFailure.wrongKind(expected: Value.self, tag: DocumentTag.object)
                .decodingError(at: codingPath)
        }
        return try self.read(at: position, read)
    }
}
