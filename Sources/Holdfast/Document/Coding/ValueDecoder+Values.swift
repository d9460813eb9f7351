#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A type that this coding reads in a way of its own.
enum LeafType {
    case date
    case uuid
    case text
    case data
    case url
    case id
    case value
    case object

    @inline(__always)
    init?(_ type: (some Any).Type) {
        if type == RecordID.self {
            self = .id
        } else if type == Date.self {
            self = .date
        } else if type == UUID.self {
            self = .uuid
        } else if type == String.self {
            self = .text
        } else if type == Data.self {
            self = .data
        } else if type == URL.self {
            self = .url
        } else if type == JSONValue.self {
            self = .value
        } else if type == JSONObject.self {
            self = .object
        } else {
            return nil
        }
    }
}

extension ValueDecoder {
    /// Reads a value of a leaf's type, which `Value` is.
    ///
    /// It gives no optional: making the type of one, for a type that is not known when this is
    /// compiled, costs more than to read the value.
    @inline(__always)
    func read<Value>(
        _ leaf: LeafType,
        as type: Value.Type,
        at position: Int,
        key: @autoclosure () -> (any CodingKey)? = nil
    ) throws -> Value {
        switch leaf {
        case .date:
            let date = try read(at: position, key: key()) { try $0.decodeDate() }
            return unsafe unsafeBitCast(date, to: Value.self)
        case .uuid:
            let uuid = try read(at: position, key: key()) { try $0.decodeUUID() }
            return unsafe unsafeBitCast(uuid, to: Value.self)
        case .text:
            let text = try read(at: position, key: key()) { try $0.decodeText() }
            return unsafe unsafeBitCast(text, to: Value.self)
        case .data:
            let data = try read(at: position, key: key()) { try $0.decodeData() }
            return unsafe unsafeBitCast(data, to: Value.self)
        case .url:
            let url = try read(at: position, key: key()) { try $0.decodeURL() }
            return unsafe unsafeBitCast(url, to: Value.self)
        case .id:
            let id = try read(at: position, key: key()) { try $0.decodeID() }
            return unsafe unsafeBitCast(id, to: Value.self)
        case .value:
            let value = try read(at: position, key: key()) { try $0.value() }
            return unsafe unsafeBitCast(value, to: Value.self)
        case .object:
            let object = try read(at: position, key: key()) { try $0.decodeObject() }
            return unsafe unsafeBitCast(object, to: Value.self)
        }
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
