extension JSONValue: CustomStringConvertible {
    /// The value as JSON on one line.
    ///
    /// One that cannot be written, such as an infinite number, is described by the reason.
    public var description: String {
        do {
            return String(decoding: try serialized(), as: UTF8.self)
        } catch {
            return "(\(error.message))"
        }
    }
}

extension JSONObject: CustomStringConvertible {
    /// The object as JSON on one line; see ``JSONValue/description``.
    public var description: String { JSONValue.object(self).description }
}
