/// Reads the elements of one JSON array from chunks of bytes, one by one.
///
/// Memory is bounded by the longest element, which may have ``JSONLineReader/lengthLimit`` bytes.
/// A byte order mark before the array is ignored. Use it as a ``JSONLineReader``.
public struct JSONArrayReader: Sendable {
    private enum State {
        case beforeArray
        case beforeFirstElement
        case beforeElement
        case behindArray
    }

    private let limit: Int
    private var state = State.beforeArray
    private var buffer: [UInt8] = []
    /// Where the element that was not yet returned starts.
    private var start = 0
    private var boundary = ElementBoundary()
    /// Bytes of the input before the buffer.
    private var discarded = 0
    private var isFinished = false
    /// What is wrong behind the element that was returned last.
    private var failure: JSONError?
    /// Whether the last error was about the content of one element, whose end is known: the next
    /// call goes on behind it.
    package private(set) var canGoOn = false

    /// A reader at the start of its input.
    public init() { self.init(limit: JSONLineReader.lengthLimit) }

    package init(limit: Int) { self.limit = limit }

    /// Takes the next bytes of the input.
    public mutating func append(_ chunk: some Collection<UInt8>) {
        buffer.removeSubrange(..<start)
        boundary.position -= start
        discarded += start
        start = 0
        buffer.append(contentsOf: chunk)
    }

    /// Says that the input ends here.
    public mutating func finish() { isFinished = true }

    /// The next element; `nil` where more input is needed, or none is left after ``finish()``.
    ///
    /// An element that is an object does not count as nesting, as it may be a record.
    ///
    /// - Throws: ``JSONError`` with the offset from the start of the input. All complete elements
    ///   before it were returned. Where the syntax is broken, the reader cannot go on behind it.
    public mutating func next() throws(JSONError) -> JSONValue? {
        canGoOn = false
        if let failure { throw failure }
        if state == .beforeArray, try !openArray() { return nil }
        if state == .behindArray {
            try expectOnlyWhitespace()
            return nil
        }
        guard let end = boundary.find(in: buffer) else {
            return try takeUnfinishedElement()
        }
        try checkLength(upTo: end)
        return try takeElement(upTo: end)
    }

    private mutating func openArray() throws(JSONError) -> Bool {
        if discarded == 0, start == 0 {
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            guard isFinished || buffer.count >= mark.count else { return false }
            if buffer.starts(with: mark) { start = mark.count }
        }
        skipWhitespace()
        guard start < buffer.count else {
            guard isFinished else { return false }
            throw error(.unexpectedEnd, "expected an array in brackets and found nothing")
        }
        guard buffer[start] == UInt8(ascii: "[") else {
            throw error(.syntax, "expected an array in brackets")
        }
        start += 1
        boundary = ElementBoundary(from: start)
        state = .beforeFirstElement
        return true
    }

    private mutating func takeElement(upTo end: Int) throws(JSONError) -> JSONValue? {
        let isLast = buffer[end] == UInt8(ascii: "]")
        skipWhitespace()
        if isLast, start == end, state == .beforeFirstElement {
            start = end + 1
            state = .behindArray
            return try next()
        }
        let isSeparator = isLast || buffer[end] == UInt8(ascii: ",")
        do throws(JSONError) {
            let (value, stop) = try parse()
            if stop != end || !isSeparator { failure = missingSeparator(at: stop) }
            goOn(behind: end, isLast: isLast)
            return value
        } catch {
            if isSeparator, isAboutContent(error, upTo: end) {
                goOn(behind: end, isLast: isLast)
                canGoOn = true
            }
            throw error
        }
    }

    private mutating func goOn(behind end: Int, isLast: Bool) {
        start = end + 1
        boundary = ElementBoundary(from: start)
        state = isLast ? .behindArray : .beforeElement
    }

    /// The element at the end of an input that lacks its bracket, where it is complete.
    ///
    /// The end may have cut a number short; what else reads as a value is one.
    private mutating func takeUnfinishedElement() throws(JSONError) -> JSONValue? {
        try checkLength(upTo: buffer.count)
        guard isFinished else { return nil }
        let ending = JSONError(
            .unexpectedEnd,
            "the text ends inside the array",
            offset: discarded + buffer.count
        )
        guard let (value, stop) = try? parse() else { throw ending }
        switch value {
        case .integer, .double: throw ending
        default: failure = stop == buffer.count ? ending : missingSeparator(at: stop)
        }
        return value
    }

    /// The value that starts at `start`, and where what follows it stands.
    private func parse() throws(JSONError) -> (value: JSONValue, stop: Int) {
        do {
            return try buffer.withByteView { (view) throws(JSONError) in
                var parser = JSONParser(view, at: start)
                parser.skipWhitespace()
                if parser.peek() == UInt8(ascii: "{") {
                    parser = JSONParser(view, at: parser.position, depth: -1)
                }
                let value = try parser.value()
                parser.skipWhitespace()
                return (value, parser.position)
            }
        } catch {
            let offset = error.offset.map { $0 + discarded }
            throw JSONError(error.kind, error.message, offset: offset)
        }
    }

    /// Whether the grammar holds around what is wrong, so that the element ends where it seems to.
    private func isAboutContent(_ error: JSONError, upTo end: Int) -> Bool {
        switch error.kind {
        case .duplicateName, .invalidText, .invalidUTF8, .numberOutOfRange, .nestingTooDeep:
            JSONOutline.fits(buffer[start..<end])
        default: false
        }
    }

    private func missingSeparator(at position: Int) -> JSONError {
        JSONError(
            .syntax,
            "expected ',' or ']' after an element",
            offset: discarded + position
        )
    }

    private func checkLength(upTo end: Int) throws(JSONError) {
        guard end - start <= limit else {
            throw error(.tooLong, "an element is longer than \(limit) bytes")
        }
    }

    private mutating func expectOnlyWhitespace() throws(JSONError) {
        skipWhitespace()
        guard start == buffer.count else {
            throw error(.trailingBytes, "expected nothing after the array")
        }
    }

    private mutating func skipWhitespace() {
        while start < buffer.count, JSONText.isWhitespace(buffer[start]) { start += 1 }
    }

    private func error(_ kind: JSONError.Kind, _ message: String) -> JSONError {
        JSONError(kind, message, offset: discarded + start)
    }
}

/// Looks for the comma or bracket behind an element, knowing only of strings and nesting.
///
/// Anything else behind an array or object ends the search too, so that a missing comma is found
/// where it is missing.
///
/// What lies before it may still be nonsense; the parser says so.
private struct ElementBoundary {
    var position = 0
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private var isBehindContainer = false

    init(from position: Int = 0) { self.position = position }

    mutating func find(in buffer: [UInt8]) -> Int? {
        while position < buffer.count {
            if isEnd(buffer[position]) { return position }
            position += 1
        }
        return nil
    }

    private mutating func isEnd(_ byte: UInt8) -> Bool {
        if isInString {
            readInString(byte)
            return false
        }
        if isBehindContainer { return !JSONText.isWhitespace(byte) }
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            if depth == 0 { return byte == UInt8(ascii: "]") }
            depth -= 1
            isBehindContainer = depth == 0
        case UInt8(ascii: ","): return depth == 0
        default: break
        }
        return false
    }

    private mutating func readInString(_ byte: UInt8) {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInString = false
        }
    }
}
