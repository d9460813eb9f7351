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
    /// - Throws: ``JSONError`` with the offset from the start of the input. The elements before
    ///   it were returned; the reader cannot go on behind it.
    public mutating func next() throws(JSONError) -> JSONValue? {
        if state == .beforeArray, try !openArray() { return nil }
        if state == .behindArray {
            try expectOnlyWhitespace()
            return nil
        }
        guard let end = boundary.find(in: buffer) else {
            try checkUnfinishedElement()
            return nil
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
            throw failure(.unexpectedEnd, "expected an array in brackets and found nothing")
        }
        guard buffer[start] == UInt8(ascii: "[") else {
            throw failure(.syntax, "expected an array in brackets")
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
        let value = try parse(upTo: end)
        start = end + 1
        boundary = ElementBoundary(from: start)
        state = isLast ? .behindArray : .beforeElement
        return value
    }

    /// The value that starts at `start` and has to end right before `end`.
    private func parse(upTo end: Int) throws(JSONError) -> JSONValue {
        do {
            return try buffer.withByteView { (view) throws(JSONError) in
                var parser = JSONParser(view, at: start, depth: 1)
                let value = try parser.value()
                parser.skipWhitespace()
                if parser.position == end { return value }
                throw parser.unexpected("expected ',' or ']' after an element")
            }
        } catch {
            let offset = error.offset.map { $0 + discarded }
            throw JSONError(error.kind, error.message, offset: offset)
        }
    }

    private func checkLength(upTo end: Int) throws(JSONError) {
        guard end - start <= limit else {
            throw failure(.tooLong, "an element is longer than \(limit) bytes")
        }
    }

    private func checkUnfinishedElement() throws(JSONError) {
        try checkLength(upTo: buffer.count)
        guard isFinished else { return }
        throw JSONError(
            .unexpectedEnd,
            "the text ends inside the array",
            offset: discarded + buffer.count
        )
    }

    private mutating func expectOnlyWhitespace() throws(JSONError) {
        skipWhitespace()
        guard start == buffer.count else {
            throw failure(.trailingBytes, "expected nothing after the array")
        }
    }

    private mutating func skipWhitespace() {
        while start < buffer.count, JSONText.isWhitespace(buffer[start]) { start += 1 }
    }

    private func failure(_ kind: JSONError.Kind, _ message: String) -> JSONError {
        JSONError(kind, message, offset: discarded + start)
    }
}

/// Looks for the comma or bracket behind an element, knowing only of strings and nesting.
///
/// What lies before it may still be nonsense; the parser says so.
private struct ElementBoundary {
    var position = 0
    private var depth = 0
    private var isInString = false
    private var isEscaped = false

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
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            if depth == 0 { return byte == UInt8(ascii: "]") }
            depth -= 1
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
