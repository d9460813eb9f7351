/// Splits CSV as RFC 4180 has it into rows, from bytes that come in pieces.
///
/// Lines end in LF or CRLF. A field in quotes may hold commas, line ends and doubled quotes. A
/// byte order mark at the start and lines with nothing on them are skipped.
package struct CSVRowReader: Sendable {
    private enum State {
        case fieldStart
        case unquoted
        case quoted
        /// Behind a quote inside quotes: the end of the field, or the first half of a doubled one.
        case quoteInQuoted
        case carriageReturn
        /// Behind an error: everything up to the end of the line is passed over.
        case skippingLine
    }

    /// A longer row is an error, so that no input fills the memory.
    package static let rowLimit = 64 << 20

    private var input: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    private var state = State.fieldStart
    private var field: [UInt8] = []
    private var fields: [String] = []
    private var rowBytes = 0
    private var line = 1
    private var rowLine = 1
    private var isAtStart = true

    /// A reader at the start of a file.
    package init() {}

    /// Adds the bytes that come next; none means the end.
    package mutating func append(_ bytes: [UInt8]) {
        isAtEnd = bytes.isEmpty
        input = Array(input[position...]) + bytes
        position = 0
    }

    /// The next row; `nil` when more bytes are needed or the end is reached.
    ///
    /// - Throws: ``LineError``; the next call goes on behind the line in question.
    package mutating func next() throws(LineError) -> CSVRow? {
        if isAtStart, !skipByteOrderMark() { return nil }
        while position < input.count {
            let byte = input[position]
            position += 1
            if byte == .lineFeed { line += 1 }
            if let row = try take(byte) { return row }
        }
        return isAtEnd ? try takeEnd() : nil
    }

    /// Returns whether enough bytes are there to tell.
    private mutating func skipByteOrderMark() -> Bool {
        guard input.count >= 3 || isAtEnd else { return false }
        isAtStart = false
        if input.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        return true
    }

    private mutating func take(_ byte: UInt8) throws(LineError) -> CSVRow? {
        rowBytes += 1
        if rowBytes > Self.rowLimit { throw fail("the row is longer than 64 MiB", after: byte) }
        switch state {
        case .fieldStart, .unquoted: return try takePlain(byte)
        case .quoted:
            if byte == .quote { state = .quoteInQuoted } else { field.append(byte) }
        case .quoteInQuoted: return try takeBehindQuote(byte)
        case .carriageReturn:
            guard byte == .lineFeed else {
                throw fail("a carriage return without a line feed", after: byte)
            }
            return endRow()
        case .skippingLine:
            if byte == .lineFeed { startRow() }
        }
        return nil
    }

    private mutating func takePlain(_ byte: UInt8) throws(LineError) -> CSVRow? {
        switch byte {
        case .quote:
            guard state == .fieldStart else {
                throw fail("a quote inside a field that does not begin with one", after: byte)
            }
            state = .quoted
        case .comma, .lineFeed, .carriageReturn: return try takeSeparator(byte)
        default:
            state = .unquoted
            field.append(byte)
        }
        return nil
    }

    private mutating func takeBehindQuote(_ byte: UInt8) throws(LineError) -> CSVRow? {
        switch byte {
        case .quote:
            field.append(byte)
            state = .quoted
            return nil
        case .comma, .lineFeed, .carriageReturn: return try takeSeparator(byte)
        default: throw fail("text behind the closing quote of a field", after: byte)
        }
    }

    private mutating func takeSeparator(_ byte: UInt8) throws(LineError) -> CSVRow? {
        // A line with nothing on it is no row; one with an empty field in quotes is.
        let isBlank = byte != .comma && fields.isEmpty && state == .fieldStart
        if !isBlank { try endField(before: byte) }
        if byte == .lineFeed { return endRow() }
        state = byte == .comma ? .fieldStart : .carriageReturn
        return nil
    }

    private mutating func endField(before byte: UInt8) throws(LineError) {
        guard let text = String(validating: field, as: UTF8.self) else {
            throw fail("the text is not valid UTF-8", after: byte)
        }
        fields.append(text)
        field.removeAll(keepingCapacity: true)
    }

    private mutating func endRow() -> CSVRow? {
        let row = fields.isEmpty ? nil : CSVRow(line: rowLine, fields: fields)
        startRow()
        return row
    }

    private mutating func takeEnd() throws(LineError) -> CSVRow? {
        switch state {
        case .skippingLine: return nil
        case .quoted: throw fail("a quoted field that never ends", after: .lineFeed)
        case .fieldStart where fields.isEmpty: return nil
        case .fieldStart, .unquoted, .quoteInQuoted, .carriageReturn:
            if state != .carriageReturn { try endField(before: .lineFeed) }
            return endRow()
        }
    }

    private mutating func startRow() {
        state = .fieldStart
        fields.removeAll(keepingCapacity: true)
        field.removeAll(keepingCapacity: true)
        rowBytes = 0
        rowLine = line
    }

    private mutating func fail(_ message: String, after byte: UInt8) -> LineError {
        let error = LineError(line: rowLine, message)
        startRow()
        if byte != .lineFeed { state = .skippingLine }
        return error
    }
}

extension UInt8 {
    fileprivate static let lineFeed = UInt8(ascii: "\n")
    fileprivate static let carriageReturn = UInt8(ascii: "\r")
    fileprivate static let comma = UInt8(ascii: ",")
    fileprivate static let quote = UInt8(ascii: "\"")
}
