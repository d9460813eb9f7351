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
        } else if type == RecordID.self {
            let id = try read(at: position, key: key()) { try $0.decodeID() }
            return unsafe unsafeBitCast(id, to: Value.self)
        } else if type == JSONValue.self {
            let value = try read(at: position, key: key()) { try $0.value() }
            return unsafe unsafeBitCast(value, to: Value.self)
        } else if type == JSONObject.self {
            let object = try read(at: position, key: key()) { try $0.decodeObject() }
            return unsafe unsafeBitCast(object, to: Value.self)
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
    func side(at position: Int, _ key: any CodingKey) throws -> ValueDecoder {
        let path = codingPath + [key]
        try DecodingState.checkDepth(path.count)
        return unsafe ValueDecoder(state: state, position: position, path: path)
    }
}
