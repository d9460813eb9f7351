#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ValueDecoder {
    /// Reads a value that this coding reads in a way of its own; `nil` where it is of another type.
    @inline(__always)
    func readLeaf<Value>(
        _ type: Value.Type,
        at position: Int,
        key: @autoclosure () -> (any CodingKey)? = nil
    ) throws -> Value? {
        if type == Date.self {
            let date = try read(at: position, key: key()) { try $0.decodeDate() }
            return unsafe unsafeBitCast(date, to: Value.self)
        } else if type == UUID.self {
            let uuid = try read(at: position, key: key()) { try $0.decodeUUID() }
            return unsafe unsafeBitCast(uuid, to: Value.self)
        } else if type == String.self {
            let text = try read(at: position, key: key()) { try $0.decodeText() }
            return unsafe unsafeBitCast(text, to: Value.self)
        } else if type == Data.self {
            let data = try read(at: position, key: key()) { try $0.decodeData() }
            return unsafe unsafeBitCast(data, to: Value.self)
        } else if type == URL.self {
            let url = try read(at: position, key: key()) { try $0.decodeURL() }
            return unsafe unsafeBitCast(url, to: Value.self)
        }
        return nil
    }

    /// Reads a value whose own coding has to do it, under its key.
    func readValue<Value: Decodable>(
        _ type: Value.Type,
        at position: Int,
        key: any CodingKey
    ) throws -> Value {
        let saved = try unsafe state.pointee.enter(key, path: path)
        defer { unsafe state.pointee.leave(saved) }
        return try Value(from: unsafe ValueDecoder(state: state, position: position, path: nil))
    }

    /// Whether the value at an offset is null.
    func isNull(at position: Int) -> Bool {
        let bytes = unsafe state.pointee.bytes
        return position < bytes.count && bytes[position] == DocumentTag.null
    }

    /// A decoder of the value at an offset that may be used at any time.
    func side(at position: Int, _ key: any CodingKey) -> ValueDecoder {
        unsafe ValueDecoder(state: state, position: position, path: codingPath + [key])
    }
}

extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { isNull(at: position) && position > 0 }

    func decode(_ type: Bool.Type) throws -> Bool { try single { try $0.decodeBool() } }

    func decode(_ type: String.Type) throws -> String { try single { try $0.decodeText() } }

    func decode(_ type: Double.Type) throws -> Double { try single { try $0.decodeDouble() } }

    func decode(_ type: Float.Type) throws -> Float { try single { try $0.decodeFloat() } }

    func decode<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type) throws -> Integer {
        try single { try $0.decodeInteger(type) }
    }

    func decode(_ type: Int128.Type) throws -> Int128 { try single { try $0.decodeInteger(type) } }

    func decode(_ type: UInt128.Type) throws -> UInt128 {
        try single { try $0.decodeInteger(type) }
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if position > 0, let leaf = try readLeaf(type, at: position) { return leaf }
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
