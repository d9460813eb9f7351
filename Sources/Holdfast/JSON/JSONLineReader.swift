/// Splits chunks of bytes into lines, for JSON Lines.
///
/// Lines end with a line feed, which a carriage return may precede; the last one needs no end.
/// Blank lines are skipped but counted, and a byte order mark before the first is ignored. A
/// line holds at most ``lengthLimit`` bytes, so that memory stays bounded.
///
/// ```swift
/// var reader = JSONLineReader()
/// while let chunk = try file.read() {
///     reader.append(chunk)
///     while let line = try reader.next() { try use(line.object()) }
/// }
/// reader.finish()
/// while let line = try reader.next() { try use(line.object()) }
/// ```
public struct JSONLineReader: Sendable {
    /// One line that is not blank.
    public struct Line: Hashable, Sendable {
        /// The line's number, from 1.
        public let number: Int
        /// Its bytes, without the end.
        public let bytes: [UInt8]
    }

    /// The longest line, in bytes (64 MiB).
    public static let lengthLimit = 64 << 20

    private let limit: Int
    private var buffer: [UInt8] = []
    /// Where the first line that was not returned starts.
    private var start = 0
    /// Up to where there is no line end.
    private var searched = 0
    private var lineNumber = 0
    private var isFinished = false

    /// A reader at the start of its input.
    public init() { self.init(limit: Self.lengthLimit) }

    package init(limit: Int) { self.limit = limit }

    /// Takes the next bytes of the input.
    public mutating func append(_ chunk: some Collection<UInt8>) {
        buffer.removeSubrange(..<start)
        searched -= start
        start = 0
        buffer.append(contentsOf: chunk)
    }

    /// Says that the input ends here, so that its last line counts without an end.
    public mutating func finish() { isFinished = true }

    /// The next line; `nil` where more input is needed, or none is left after ``finish()``.
    ///
    /// - Throws: ``JSONError`` `.tooLong`, with the line's number, where a line is longer than the
    ///   limit; the reader cannot go on behind it.
    public mutating func next() throws(JSONError) -> Line? {
        while let range = try nextRange() {
            var line = buffer[range]
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            if lineNumber == 1, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
            if line.allSatisfy(JSONText.isWhitespace) { continue }
            return Line(number: lineNumber, bytes: Array(line))
        }
        return nil
    }

    private mutating func nextRange() throws(JSONError) -> Range<Int>? {
        let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n"))
        searched = end ?? buffer.endIndex
        guard searched - start <= limit else {
            throw JSONError(
                .tooLong,
                "a line is longer than \(limit) bytes",
                offset: limit,
                line: lineNumber + 1
            )
        }
        guard end != nil || isFinished && searched > start else { return nil }
        let range = start..<searched
        searched += end == nil ? 0 : 1
        start = searched
        lineNumber += 1
        return range
    }
}

extension JSONLineReader.Line {
    /// The object that the line holds.
    ///
    /// - Throws: ``JSONError`` with the line's number.
    public func object() throws(JSONError) -> JSONObject {
        do {
            return try JSONObject(parsing: bytes)
        } catch {
            var error = error
            error.line = number
            throw error
        }
    }
}
