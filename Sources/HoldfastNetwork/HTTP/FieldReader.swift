/// Reads field lines until the empty one, within limits.
struct FieldReader: Sendable {
    private(set) var headers = HTTPHeaders()
    private var left: Int
    private let fields: Int

    /// A reader that takes `bytes` of lines with `fields` fields.
    init(bytes: Int, fields: Int) {
        left = bytes
        self.fields = fields
    }

    private static let tooLarge = HTTPFault(status: 431, detail: "The fields are too large.")

    /// Reads what is there.
    ///
    /// - Returns: Whether the empty line was read, behind which the fields are complete.
    mutating func read(_ buffer: inout LineBuffer) throws(HTTPFault) -> Bool {
        while let line = try buffer.line(atMost: left, tooLong: Self.tooLarge) {
            if line.isEmpty { return true }
            left -= line.count + 2
            guard headers.fields.count < fields, left >= 0 else { throw Self.tooLarge }
            headers.fields.append(try Self.field(line))
        }
        return false
    }

    /// A field line (RFC 9112, 5): no blank before the colon, where some servers see another name
    /// than others, and none at the line's beginning, which continued the line before once.
    private static func field(_ line: ArraySlice<UInt8>) throws(HTTPFault) -> HTTPHeaders.Field {
        guard let colon = line.firstIndex(of: HTTPByte.colon), colon > line.startIndex else {
            throw .malformed("A field has no name.")
        }
        let name = line[..<colon]
        guard name.allSatisfy(HTTPByte.isToken) else {
            throw .malformed("A field's name has characters that it cannot have.")
        }
        let value = line[(colon + 1)...].trimmingBlanks()
        guard value.allSatisfy(HTTPByte.isValue) else {
            throw .malformed("A field's value has a control character.")
        }
        return HTTPHeaders.Field(
            String(decoding: name, as: UTF8.self),
            String(decoding: value, as: UTF8.self)
        )
    }
}
