/// A strict parser for one JSON text (RFC 8259).
///
/// It recurses once a level, at most one more than ``JSONValue/nestingLimit`` deep, and reads every
/// byte once.
struct JSONParser {
    let bytes: ByteView
    var position: Int
    private var depth: Int

    /// A parser at an offset of `bytes`, inside `depth` arrays and objects; -1 where the outermost
    /// one does not count, as the object that is a record does not.
    init(_ bytes: ByteView, at position: Int = 0, depth: Int = 0) {
        self.bytes = bytes
        self.position = position
        self.depth = depth
    }

    /// The one value of the text.
    static func parse(_ bytes: ByteView) throws(JSONError) -> JSONValue {
        try parse(bytes, depth: 0)
    }

    /// The one value of the text, whose outermost array or object does not count as nesting.
    static func parseRecord(_ bytes: ByteView) throws(JSONError) -> JSONValue {
        try parse(bytes, depth: -1)
    }

    /// The one value of the text, of whose outermost levels `-depth` do not count as nesting.
    static func parse(_ bytes: ByteView, depth: Int) throws(JSONError) -> JSONValue {
        var parser = JSONParser(bytes, depth: depth)
        try parser.refuseByteOrderMark()
        let value = try parser.value()
        parser.skipWhitespace()
        guard parser.position == bytes.count else {
            throw parser.failure(.trailingBytes, "expected nothing after the value")
        }
        return value
    }

    mutating func value() throws(JSONError) -> JSONValue {
        skipWhitespace()
        switch peek() {
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "["): return .array(try array())
        default: return try scalar()
        }
    }

    private mutating func array() throws(JSONError) -> [JSONValue] {
        try descend()
        var elements: [JSONValue] = []
        if !skip(UInt8(ascii: "]")) {
            repeat { elements.append(try value()) } while skip(UInt8(ascii: ","))
            try close(UInt8(ascii: "]"), "expected ',' or ']' after an element")
        }
        depth -= 1
        return elements
    }

    private mutating func object() throws(JSONError) -> JSONObject {
        try descend()
        var object = JSONObject()
        if !skip(UInt8(ascii: "}")) {
            object.reserveCapacity(8)
            repeat {
                let (name, start) = try fieldName()
                if !object.append(name, try value()) { throw duplicateName(at: start) }
            } while skip(UInt8(ascii: ","))
            try close(UInt8(ascii: "}"), "expected ',' or '}' after a field")
        }
        depth -= 1
        return object
    }

    /// Reads a name and its colon, and returns where the name starts.
    private mutating func fieldName() throws(JSONError) -> (name: String, start: Int) {
        skipWhitespace()
        let start = position
        guard peek() == UInt8(ascii: "\"") else {
            throw unexpected("expected a field name in double quotes")
        }
        let name = try text()
        guard skip(UInt8(ascii: ":")) else {
            throw unexpected("expected ':' after a field name")
        }
        return (name, start)
    }

    private mutating func scalar() throws(JSONError) -> JSONValue {
        guard let first = peek() else { throw unexpected("expected a value") }
        switch first {
        case UInt8(ascii: "\""): return .string(try text())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: throw unexpected("expected a value")
        }
    }

    private mutating func descend() throws(JSONError) {
        guard depth < JSONValue.nestingLimit else {
            throw failure(
                .nestingTooDeep,
                "arrays and objects stand in each other deeper than \(JSONValue.nestingLimit) levels"
            )
        }
        depth += 1
        position += 1
    }

    private mutating func close(
        _ bracket: UInt8,
        _ expectation: String
    ) throws(JSONError) {
        guard skip(bracket) else { throw unexpected(expectation) }
    }

    private func duplicateName(at start: Int) -> JSONError {
        failure(.duplicateName, "an object has this field name twice", at: start)
    }

    private mutating func literal(
        _ word: StaticString,
        _ value: JSONValue
    ) throws(JSONError) -> JSONValue {
        let start = position
        let matches = word.description.utf8.allSatisfy { byte in
            guard peek() == byte else { return false }
            position += 1
            return true
        }
        guard matches else { throw unexpected("expected a value", at: start) }
        return value
    }
}

extension JSONParser {
    @inline(__always)
    func peek() -> UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    /// Whether the next byte behind white space is this one; then it is read.
    mutating func skip(_ byte: UInt8) -> Bool {
        skipWhitespace()
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    @inline(__always)
    mutating func skipWhitespace() {
        while position < bytes.count, JSONText.isWhitespace(bytes[position]) { position += 1 }
    }

    func failure(_ kind: JSONError.Kind, _ message: String, at offset: Int? = nil) -> JSONError {
        JSONError(kind, message, offset: offset ?? position)
    }

    /// A syntax error, or the end of the text where something else is needed.
    func unexpected(_ message: String, at offset: Int? = nil) -> JSONError {
        guard position < bytes.count else {
            return failure(.unexpectedEnd, "the text ends where it is unfinished: \(message)")
        }
        return failure(.syntax, message, at: offset)
    }

    private func refuseByteOrderMark() throws(JSONError) {
        guard bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF else { return }
        throw failure(.invalidUTF8, "the text begins with a byte order mark; remove these 3 bytes")
    }
}
