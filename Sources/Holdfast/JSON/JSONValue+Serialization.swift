extension JSONValue {
    /// The value as JSON text in UTF-8, on one line, or with an indented line for each field.
    ///
    /// It reads back as an equal value: doubles have as few digits as that takes, and keep a
    /// fraction or an exponent (`1.0`, `1e308`, `1e-7`). Only `"`, `\` and control characters are
    /// escaped.
    ///
    /// - Throws: ``JSONError`` where the value was built in code with a number that is infinite
    ///   or not a number, or nested deeper than ``nestingLimit``.
    /// - Complexity: O(n).
    public func serialized(pretty: Bool = false) throws(JSONError) -> [UInt8] {
        var serializer = JSONSerializer(pretty: pretty)
        try serializer.append(self)
        return serializer.bytes
    }
}

extension JSONObject {
    /// The object as JSON text in UTF-8, on one line, or with an indented line for each field.
    ///
    /// The object itself does not count as nesting: each of its values may be
    /// ``JSONValue/nestingLimit`` deep, as in a stored record.
    ///
    /// - Throws: ``JSONError`` as ``JSONValue/serialized(pretty:)`` does.
    /// - Complexity: O(n).
    public func serialized(pretty: Bool = false) throws(JSONError) -> [UInt8] {
        try serialized(pretty: pretty, uncounted: 1)
    }

    /// The object as one line of JSON text, where some of its values are records themselves.
    package func serializedAroundRecords() throws(JSONError) -> [UInt8] {
        try serialized(pretty: false, uncounted: 2)
    }

    private func serialized(pretty: Bool, uncounted levels: Int) throws(JSONError) -> [UInt8] {
        var serializer = JSONSerializer(pretty: pretty, uncounted: levels)
        try serializer.append(self)
        return serializer.bytes
    }
}
