#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension DocumentReader {
    mutating func decodeBool() throws -> Bool {
        switch try take(UInt8.self) {
        case DocumentTag.true: return true
        case DocumentTag.false: return false
        case let tag: throw DecodingFailure.wrongKind(expected: Bool.self, tag: tag)
        }
    }

    @inline(__always)
    mutating func decodeText(for type: any Any.Type = String.self) throws -> String {
        let tag = try take(UInt8.self)
        guard let text = try takeText(tag) else {
            throw DecodingFailure.wrongKind(expected: type, tag: tag)
        }
        return text
    }

    /// An integer, or a double that is one.
    @inline(__always)
    mutating func decodeInteger<Integer: FixedWidthInteger>(
        _ type: Integer.Type
    ) throws -> Integer {
        let tag = try take(UInt8.self)
        if let integer = try takeInteger(tag) {
            if let exact = Integer(exactly: integer) { return exact }
        } else if tag == DocumentTag.double {
            if let exact = Integer(exactly: try takeDouble()) { return exact }
        } else {
            throw DecodingFailure.wrongKind(expected: type, tag: tag)
        }
        throw DecodingFailure.invalid("The number does not fit \(type).")
    }

    /// A double, or the double nearest to an integer.
    @inline(__always)
    mutating func decodeDouble() throws -> Double {
        let tag = try take(UInt8.self)
        if tag == DocumentTag.double { return try takeDouble() }
        guard let integer = try takeInteger(tag) else {
            throw DecodingFailure.wrongKind(expected: Double.self, tag: tag)
        }
        return Double(integer)
    }

    mutating func decodeFloat() throws -> Float {
        let float = Float(try decodeDouble())
        guard float.isFinite else {
            throw DecodingFailure.invalid("The number does not fit Float.")
        }
        return float
    }

    mutating func decodeDate() throws -> Date {
        let tag = try take(UInt8.self)
        if let range = try takePlainText(tag) {
            guard let time = Timestamp(rfc3339: bytes[range]) else {
                throw DecodingFailure.invalid("The text is not a timestamp (RFC 3339).")
            }
            return time.date
        }
        switch try takePackedText(tag) {
        case .timestamp(let nanoseconds, _): return Timestamp(nanoseconds: nanoseconds).date
        case .uuid: throw DecodingFailure.invalid("The text is not a timestamp (RFC 3339).")
        case nil: throw DecodingFailure.wrongKind(expected: Date.self, tag: tag)
        }
    }

    mutating func decodeUUID() throws -> UUID {
        let start = position
        if try take(UInt8.self) == DocumentTag.uuid,
            case .uuid(let packed) = try takePackedText(DocumentTag.uuid)
        {
            return packed.uuid
        }
        position = start
        guard let uuid = UUID(uuidString: try decodeText(for: UUID.self)) else {
            throw DecodingFailure.invalid("The text is not a UUID.")
        }
        return uuid
    }

    mutating func decodeData() throws -> Data {
        guard let data = Data(base64Encoded: try decodeText(for: Data.self)) else {
            throw DecodingFailure.invalid("The text is not base64.")
        }
        return data
    }

    mutating func decodeURL() throws -> URL {
        guard let url = URL(string: try decodeText(for: URL.self)) else {
            throw DecodingFailure.invalid("The text is not a URL.")
        }
        return url
    }

    mutating func decodeID() throws -> RecordID {
        let tag = try take(UInt8.self)
        if let range = try takePlainText(tag) {
            let text = try text(at: range)
            return bytes[range].isPlainASCII ? RecordID(stored: text) : try RecordID(text)
        }
        // A packed text is a UUID or a timestamp, and so an id.
        switch try takePackedText(tag) {
        case .uuid(let uuid): return RecordID(uuid)
        case let packed?: return RecordID(stored: packed.text)
        case nil: break
        }
        if let number = try takeInteger(tag) { return RecordID(number) }
        throw DecodingFailure.wrongKind(expected: RecordID.self, tag: tag)
    }

    mutating func decodeObject() throws -> JSONObject {
        let tag = try take(UInt8.self)
        guard tag == DocumentTag.object else {
            throw DecodingFailure.wrongKind(expected: JSONObject.self, tag: tag)
        }
        var fields = try takeContainer()
        return try fields.object()
    }
}
