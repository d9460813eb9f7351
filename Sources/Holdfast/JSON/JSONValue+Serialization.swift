extension JSONValue {
    /// The value as JSON text in UTF-8, on one line, or with an indented line for each field.
    ///
    /// It reads back as an equal value: doubles are the shortest text that does, and keep a
    /// fraction or an exponent (`1.0`). Only `"`, `\` and control characters are escaped.
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
    /// - Throws: ``JSONError`` as ``JSONValue/serialized(pretty:)`` does.
    /// - Complexity: O(n).
    public func serialized(pretty: Bool = false) throws(JSONError) -> [UInt8] {
        var serializer = JSONSerializer(pretty: pretty)
        try serializer.append(self)
        return serializer.bytes
    }
}
