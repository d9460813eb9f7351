/// A message of a protocol: an object that holds records.
///
/// Around a record stand at most ``messageLevels`` objects and arrays, which do not count as
/// nesting, so that whatever is a record fits a message.
extension JSONObject {
    /// How many levels of a message a record may stand in, its own object included.
    static let messageLevels = 6

    /// Reads one JSON text that is a message, strictly.
    ///
    /// - Throws: ``JSONError``; `.notAnObject` where the text is another valid value.
    package init(parsingMessage bytes: [UInt8]) throws(JSONError) {
        let value = try bytes.withByteView { (bytes) throws(JSONError) in
            try JSONParser.parse(bytes, depth: -Self.messageLevels)
        }
        guard case .object(let object) = value else {
            throw JSONError(.notAnObject, "expected an object in braces", offset: 0)
        }
        self = object
    }

    /// The object as one line of JSON text, where records stand inside of it.
    ///
    /// - Throws: ``JSONError`` where a number is not finite, or a record nested too deep.
    package func serializedMessage() throws(JSONError) -> [UInt8] {
        var serializer = JSONSerializer(pretty: false, uncounted: Self.messageLevels)
        try serializer.append(self)
        return serializer.bytes
    }
}
