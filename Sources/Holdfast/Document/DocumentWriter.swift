/// Writes values in the form that documents hold them in.
struct DocumentWriter: ~Copyable {
    var buffer = ByteBuffer(capacity: 512)
    private var depth = 0

    /// Begins a document.
    init() { buffer.append(Document.version) }

    mutating func append(_ object: JSONObject) throws(JSONError) {
        for (name, value) in object {
            append(name: name)
            try append(value)
        }
    }

    mutating func append(_ value: JSONValue) throws(JSONError) {
        switch value {
        case .null: buffer.append(DocumentTag.null)
        case .bool(let bool): append(bool)
        case .integer(let integer): append(integer)
        case .double(let double):
            guard double.isFinite else { throw .notFinite }
            append(finite: double)
        case .string(let text): append(text: text)
        case .array(let elements):
            let start = try open(DocumentTag.array)
            for element in elements { try append(element) }
            try close(start)
        case .object(let object):
            let start = try open(DocumentTag.object)
            try append(object)
            try close(start)
        }
    }
}

extension DocumentWriter {
    @inline(__always)
    mutating func append(_ bool: Bool) {
        buffer.append(bool ? DocumentTag.true : DocumentTag.false)
    }

    /// Appends an integer in the fewest bytes that hold it.
    @inline(__always)
    mutating func append(_ integer: Int64) {
        if 0..<64 ~= integer {
            buffer.append(DocumentTag.smallInteger | UInt8(truncatingIfNeeded: integer))
        } else if let small = Int8(exactly: integer) {
            buffer.append(DocumentTag.int8)
            buffer.append(integer: small)
        } else if let short = Int16(exactly: integer) {
            buffer.append(DocumentTag.int16)
            buffer.append(integer: short)
        } else if let medium = Int32(exactly: integer) {
            buffer.append(DocumentTag.int32)
            buffer.append(integer: medium)
        } else {
            buffer.append(DocumentTag.int64)
            buffer.append(integer: integer)
        }
    }

    @inline(__always)
    mutating func append(finite double: Double) {
        buffer.append(DocumentTag.double)
        buffer.append(integer: double.bitPattern)
    }

    @inline(__always)
    mutating func append(text: String) {
        text.withByteView { append(text: $0) }
    }

    /// Appends a text that is UTF-8, packed where it has a packed form.
    @inline(__always)
    mutating func append(text: ByteView) {
        if let packed = PackedText(text) {
            append(packed)
        } else if text.count < 128 {
            buffer.append(DocumentTag.shortText | UInt8(truncatingIfNeeded: text.count), text)
        } else {
            buffer.append(DocumentTag.longText)
            buffer.append(integer: UInt32(truncatingIfNeeded: text.count))
            buffer.append(text)
        }
    }

    mutating func append(_ packed: PackedText) {
        switch packed {
        case .uuid(let uuid):
            buffer.append(DocumentTag.uuid)
            buffer.append(integer: uuid.high.bigEndian)
            buffer.append(integer: uuid.low.bigEndian)
        case .timestamp(let nanoseconds, let fractionDigits):
            buffer.append(DocumentTag.timestamp + UInt8(truncatingIfNeeded: fractionDigits / 3))
            buffer.append(integer: nanoseconds)
        }
    }

    @inline(__always)
    mutating func append(name: String) {
        name.withByteView { append(name: $0) }
    }

    @inline(__always)
    mutating func append(name: ByteView) {
        if name.count < DocumentTag.longName {
            buffer.append(UInt8(truncatingIfNeeded: name.count), name)
        } else {
            buffer.append(DocumentTag.longName)
            buffer.append(integer: UInt32(truncatingIfNeeded: name.count))
            buffer.append(name)
        }
    }

    /// Begins an array or an object, whose length ``close(_:)`` fills in.
    mutating func open(_ tag: UInt8) throws(JSONError) -> Int {
        guard depth < Document.nestingLimit else { throw .nestedTooDeep }
        depth += 1
        buffer.append(tag)
        buffer.append(integer: 0 as UInt32)
        return buffer.count
    }

    mutating func close(_ start: Int) throws(JSONError) {
        depth -= 1
        guard buffer.count <= Document.lengthLimit else { throw .documentTooLong }
        buffer.replace(at: start - 4, with: UInt32(truncatingIfNeeded: buffer.count - start))
    }

    /// Ends an array or an object that is taken back.
    mutating func abandon() { depth -= 1 }

    /// The document that was written.
    func finish() throws(JSONError) -> [UInt8] {
        guard buffer.count <= Document.lengthLimit else { throw .documentTooLong }
        return buffer.array
    }
}

extension JSONError {
    /// A document is longer than one may be.
    static let documentTooLong = JSONError(
        .tooLong,
        "a record is longer than \(Document.lengthLimit) bytes"
    )
}
