extension DocumentReader {
    /// Reads the rest of the fields.
    mutating func object() throws(DocumentError) -> JSONObject {
        var object = JSONObject()
        // A guess that bytes claiming to be many fields cannot inflate.
        if hasMore { object.reserveCapacity(8) }
        while hasMore {
            let start = position
            let name = try text(at: takeName())
            guard object.append(name, try value()) else {
                throw failure(.duplicateName, at: start)
            }
        }
        return object
    }

    /// Reads the rest of the elements.
    private mutating func array() throws(DocumentError) -> [JSONValue] {
        var elements: [JSONValue] = []
        while hasMore { elements.append(try value()) }
        return elements
    }

    mutating func value() throws(DocumentError) -> JSONValue {
        let tag = try take(UInt8.self)
        if let text = try takeText(tag) { return .string(text) }
        if let integer = try takeInteger(tag) { return .integer(integer) }
        switch tag {
        case DocumentTag.null: return .null
        case DocumentTag.false: return .bool(false)
        case DocumentTag.true: return .bool(true)
        case DocumentTag.double: return .double(try takeDouble())
        case DocumentTag.array:
            var elements = try takeContainer()
            return .array(try elements.array())
        case DocumentTag.object:
            var fields = try takeContainer()
            return .object(try fields.object())
        default: throw failure(.unknownTag, at: position - 1)
        }
    }

    /// Reads an integer whose tag was read; `nil` where the tag is not an integer's.
    @inline(__always)
    mutating func takeInteger(_ tag: UInt8) throws(DocumentError) -> Int64? {
        if tag & 0xC0 == DocumentTag.smallInteger { return Int64(tag & 0x3F) }
        switch tag {
        case DocumentTag.int8: return Int64(try take(Int8.self))
        case DocumentTag.int16: return Int64(try take(Int16.self))
        case DocumentTag.int32: return Int64(try take(Int32.self))
        case DocumentTag.int64: return try take(Int64.self)
        default: return nil
        }
    }

    /// Reads a double whose tag was read.
    mutating func takeDouble() throws(DocumentError) -> Double {
        let double = Double(bitPattern: try take(UInt64.self))
        guard double.isFinite else { throw failure(.invalidNumber, at: position - 8) }
        return double
    }

    /// Reads a text whose tag was read; `nil` where the tag is not a text's.
    @inline(__always)
    mutating func takeText(_ tag: UInt8) throws(DocumentError) -> String? {
        if let plain = try takePlainText(tag) { return try text(at: plain) }
        return try takePackedText(tag)?.text
    }

    /// Reads a text that is not packed, and returns where it is.
    @inline(__always)
    mutating func takePlainText(_ tag: UInt8) throws(DocumentError) -> Range<Int>? {
        if tag >= DocumentTag.shortText { return try take(Int(tag & 0x7F)) }
        return tag == DocumentTag.longText ? try take(Int(take(UInt32.self))) : nil
    }

    mutating func takePackedText(_ tag: UInt8) throws(DocumentError) -> PackedText? {
        switch tag {
        case DocumentTag.uuid:
            let high = UInt64(bigEndian: try take(UInt64.self))
            return .uuid(PackedUUID(high: high, low: UInt64(bigEndian: try take(UInt64.self))))
        case DocumentTag.timestamp...DocumentTag.lastTimestamp:
            let unit = Int(tag - DocumentTag.timestamp)
            return .timestamp(nanoseconds: try take(Int64.self), fractionDigits: 3 * unit)
        default: return nil
        }
    }

    @inline(__always)
    func text(at range: Range<Int>) throws(DocumentError) -> String {
        guard let text = bytes[range].text else {
            throw failure(.invalidText, at: range.lowerBound)
        }
        return text
    }
}

extension DocumentReader {
    /// Reads a value and says where it stands to another; a plain text becomes no `String`.
    mutating func order(to other: JSONValue) throws(DocumentError) -> ValueOrder {
        let start = position
        if case .string(let text) = other, let range = try takePlainText(try take(UInt8.self)) {
            return text.withByteView { bytes[range].order(to: $0) }
        }
        position = start
        return try value().order(to: other)
    }
}
