#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ValueEncoder {
    /// Writes any value, in a frame under its key where its own coding has to do it.
    @inline(__always)
    func write<Value: Encodable>(_ value: Value, _ key: @autoclosure () -> any CodingKey) throws {
        if try writeLeaf(value) { return }
        let inner = try unsafe state.pointee.push(key())
        try value.encode(to: unsafe ValueEncoder(state: state, frame: inner))
        try unsafe state.pointee.pop()
    }

    /// Writes a value that this coding writes in a way of its own, and says whether it is one.
    @inline(__always)
    func writeLeaf<Value: Encodable>(_ value: Value) throws -> Bool {
        if Value.self == Date.self {
            try write(unsafe unsafeBitCast(value, to: Date.self))
        } else if Value.self == UUID.self {
            write(unsafe unsafeBitCast(value, to: UUID.self))
        } else if Value.self == String.self {
            write(unsafe unsafeBitCast(value, to: String.self))
        } else if Value.self == Data.self {
            write(unsafe unsafeBitCast(value, to: Data.self).base64EncodedString())
        } else if Value.self == URL.self {
            write(unsafe unsafeBitCast(value, to: URL.self).absoluteString)
        } else if Value.self == RecordID.self {
            write(unsafe unsafeBitCast(value, to: RecordID.self))
        } else if Value.self == JSONValue.self {
            try write(unsafe unsafeBitCast(value, to: JSONValue.self))
        } else if Value.self == JSONObject.self {
            try write(.object(unsafe unsafeBitCast(value, to: JSONObject.self)))
        } else {
            return false
        }
        return true
    }

    /// Runs `write` and takes back what it wrote where it throws.
    @inline(__always)
    func undoing(
        from start: Int,
        key: @autoclosure () -> (any CodingKey)?,
        _ write: () throws -> Void
    ) throws {
        do {
            try write()
        } catch {
            unsafe state.pointee.rollBack(to: start, in: frame)
            throw encodingError(error, key())
        }
    }

    private func encodingError(_ error: any Error, _ key: (any CodingKey)?) -> any Error {
        guard let reason = error as? NotStorable else { return error }
        let path = codingPath + (key.map { [$0] } ?? [])
        return EncodingError.invalidValue(reason.value, .init(reason.message, at: path))
    }
}
