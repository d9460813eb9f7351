import Holdfast

/// Access to fields of documents that are arrays.
enum DocumentAccess {
    static func value(of field: String, in document: [UInt8]) throws -> JSONValue? {
        try unsafe Document.value(of: field, in: document.span.bytes)
    }

    static func order(
        of field: String,
        in document: [UInt8],
        to other: JSONValue
    ) throws -> ValueOrder {
        try unsafe Document.order(of: field, in: document.span.bytes, to: other)
    }
}

/// Bytes as hexadecimal digits.
enum Hex {
    static func bytes(_ text: String) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] * 16 + digits[$0 + 1])
        }
    }
}
