extension JSONValue {
    /// Reads one JSON text, strictly as RFC 8259 has it.
    ///
    /// An integer has to fit 64 bits. A number with a fraction or an exponent becomes the nearest
    /// double, and one too large for a double is an error; `-0` becomes the double `-0.0`.
    /// Duplicate field names, half surrogate pairs, bytes that are not UTF-8 and a byte order mark
    /// are errors.
    ///
    /// - Throws: ``JSONError``, with the offset of the first byte that is wrong.
    /// - Complexity: O(n), also in memory.
    public init(parsing bytes: RawSpan) throws(JSONError) {
        self = try bytes.withByteView(JSONParser.parse)
    }

    /// Reads one JSON text from bytes.
    ///
    /// - Throws: ``JSONError``, with the offset of the first byte that is wrong.
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        self = try bytes.withByteView(JSONParser.parse)
    }

    /// Reads one JSON text.
    ///
    /// - Throws: ``JSONError``, with the offset of the first UTF-8 byte that is wrong.
    public init(parsing text: String) throws(JSONError) {
        try self.init(parsing: Array(text.utf8))
    }
}

extension JSONObject {
    /// Reads one JSON text that is an object, as ``JSONValue/init(parsing:)-(RawSpan)`` reads it.
    ///
    /// The object itself does not count as nesting: each of its values may be
    /// ``JSONValue/nestingLimit`` deep, as in a stored record.
    ///
    /// - Throws: ``JSONError``; `.notAnObject` where the text is another valid value.
    public init(parsing bytes: RawSpan) throws(JSONError) {
        try self.init(bytes.withByteView(JSONParser.parseRecord))
    }

    /// Reads one JSON text that is an object from bytes.
    ///
    /// - Throws: ``JSONError``; `.notAnObject` where the text is another valid value.
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        try self.init(bytes.withByteView(JSONParser.parseRecord))
    }

    /// Reads one JSON text that is an object.
    ///
    /// - Throws: ``JSONError``; `.notAnObject` where the text is another valid value.
    public init(parsing text: String) throws(JSONError) {
        try self.init(parsing: Array(text.utf8))
    }

    private init(_ value: JSONValue) throws(JSONError) {
        guard case .object(let object) = value else {
            throw JSONError(.notAnObject, "expected an object in braces", offset: 0)
        }
        self = object
    }
}
