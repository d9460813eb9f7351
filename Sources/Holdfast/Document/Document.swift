/// The form in which the engine stores a record: a JSON object in packed bytes.
///
/// FORMAT.md describes the bytes. What is read is not trusted: damage is an error, memory
/// stays in proportion to the bytes, and recursion is bounded.
package enum Document {
    /// The first byte of every document.
    static let version: UInt8 = 0x01
    static let nestingLimit = JSONValue.nestingLimit
    /// The longest document, in bytes: what one transaction can hold.
    static let lengthLimit = 1 << 30

    /// The document of an object.
    ///
    /// - Throws: ``JSONError`` where the object holds a number that is not finite, or is nested too
    ///   deep or too long.
    package static func encode(_ object: JSONObject) throws(JSONError) -> [UInt8] {
        var writer = DocumentWriter()
        try writer.append(object)
        return try writer.finish()
    }

    /// The object of a document.
    package static func decode(_ document: RawSpan) throws(DocumentError) -> JSONObject {
        try document.withByteView(decode)
    }

    /// The object of a document.
    package static func decode(_ document: [UInt8]) throws(DocumentError) -> JSONObject {
        try document.withByteView(decode)
    }

    private static func decode(_ document: ByteView) throws(DocumentError) -> JSONObject {
        var reader = try DocumentReader(document)
        return try reader.object()
    }

    /// The value of one field, without decoding the others; `nil` where there is none.
    ///
    /// - Complexity: O(n) in the number of fields before it.
    package static func value(
        of field: String,
        in document: RawSpan
    ) throws(DocumentError) -> JSONValue? {
        try document.withByteView { (bytes) throws(DocumentError) in
            var reader = try DocumentReader(bytes)
            let isFound = try field.withByteView { (name) throws(DocumentError) in
                try reader.find(name)
            }
            return isFound ? try reader.value() : nil
        }
    }

    /// Whether a field holds an id as its text, exactly: `false` for a number that reads the same.
    ///
    /// - Complexity: O(n) in the number of fields before it.
    static func holds(
        _ id: RecordID,
        in field: String,
        of document: [UInt8]
    ) throws(DocumentError) -> Bool {
        try document.withByteView { (bytes) throws(DocumentError) in
            var reader = try DocumentReader(bytes)
            let isFound = try field.withByteView { (name) throws(DocumentError) in
                try reader.find(name)
            }
            guard isFound else { return false }
            let tag = try reader.take(UInt8.self)
            if let range = try reader.takePlainText(tag) {
                return id.text.withByteView { $0.isEqual(to: bytes[range]) }
            }
            guard case .uuid(let uuid)? = try reader.takePackedText(tag) else { return false }
            return id.uuid == uuid
        }
    }

    /// Where the value of one field stands to another value in the order of queries, without
    /// decoding the document; a field that is missing counts as null.
    ///
    /// - Complexity: O(n) in the number of fields before it.
    package static func order(
        of field: String,
        in document: RawSpan,
        to other: JSONValue
    ) throws(DocumentError) -> ValueOrder {
        try document.withByteView { (bytes) throws(DocumentError) in
            var reader = try DocumentReader(bytes)
            let isFound = try field.withByteView { (name) throws(DocumentError) in
                try reader.find(name)
            }
            return isFound ? try reader.order(to: other) : JSONValue.null.order(to: other)
        }
    }
}
