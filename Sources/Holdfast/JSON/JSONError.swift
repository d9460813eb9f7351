/// Why a text is not the JSON that was asked for, or a value cannot be written as JSON.
///
/// Messages quote nothing of the text.
public struct JSONError: Error, Hashable, Sendable {
    /// A kind of failure.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name.
        public let description: String

        init(_ name: String) { description = name }
    }

    /// Which kind of failure it is.
    public let kind: Kind
    /// What is wrong, without where.
    public let message: String
    /// Where it is wrong, in bytes from the start of the text; of the line where there is one.
    public let offset: Int?
    /// The line, counted from 1, where lines are read.
    public var line: Int?

    package init(_ kind: Kind, _ message: String, offset: Int? = nil, line: Int? = nil) {
        self.kind = kind
        self.message = message
        self.offset = offset
        self.line = line
    }
}

extension JSONError: CustomStringConvertible {
    /// What is wrong and where, such as "expected ':' after a field name, at byte 17 of line 2".
    public var description: String {
        switch (offset, line) {
        case (let offset?, let line?): "\(message), at byte \(offset) of line \(line)"
        case (let offset?, nil): "\(message), at byte \(offset)"
        case (nil, let line?): "\(message), in line \(line)"
        case (nil, nil): message
        }
    }
}

extension JSONError.Kind {
    /// The text does not follow the grammar of JSON (RFC 8259).
    public static let syntax = Self("syntax")
    /// The text ends inside a value, or holds none.
    public static let unexpectedEnd = Self("unexpectedEnd")
    /// Something follows the value.
    public static let trailingBytes = Self("trailingBytes")
    /// The bytes are not UTF-8, or begin with a byte order mark.
    public static let invalidUTF8 = Self("invalidUTF8")
    /// A text has a control character, an unknown escape or half of a surrogate pair.
    public static let invalidText = Self("invalidText")
    /// A number is outside what an Int64 or a Double holds, or is not a number at all.
    public static let numberOutOfRange = Self("numberOutOfRange")
    /// An object has one name twice.
    public static let duplicateName = Self("duplicateName")
    /// Arrays and objects stand in each other deeper than ``JSONValue/nestingLimit``.
    public static let nestingTooDeep = Self("nestingTooDeep")
    /// The value is valid and not an object.
    public static let notAnObject = Self("notAnObject")
    /// A line or an element is longer than the limit.
    public static let tooLong = Self("tooLong")
}
