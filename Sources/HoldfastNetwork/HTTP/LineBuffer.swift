/// Bytes that arrived and are not read yet, read by lines.
///
/// Each byte is looked at once, however the bytes arrive.
struct LineBuffer: Sendable {
    private var bytes: [UInt8] = []
    private var start = 0
    /// Up to where no end of a line is.
    private var searched = 0

    var count: Int { bytes.count - start }

    var isEmpty: Bool { count == 0 }

    mutating func append(_ more: ArraySlice<UInt8>) {
        if start > 0, start >= bytes.count / 2 {
            bytes.removeFirst(start)
            searched -= start
            start = 0
        }
        bytes.append(contentsOf: more)
    }

    /// The next line without its end; `nil` until its end has come.
    ///
    /// A line with more than `limit` bytes is the fault `tooLong`. One with a CR or LF that is no part
    /// of CRLF is malformed: others would read two lines there, or one (RFC 9112, 2.2).
    mutating func line(
        atMost limit: Int,
        tooLong: @autoclosure () -> HTTPFault
    ) throws(HTTPFault) -> ArraySlice<UInt8>? {
        while searched < bytes.count {
            let byte = bytes[searched]
            guard byte == HTTPByte.cr || byte == HTTPByte.lf else {
                searched += 1
                if searched - start > limit { throw tooLong() }
                continue
            }
            guard byte == HTTPByte.cr else { throw .malformed("A line ends without a CR.") }
            guard searched + 1 < bytes.count else { return nil }
            guard bytes[searched + 1] == HTTPByte.lf else {
                throw .malformed("A CR stands inside of a line.")
            }
            defer {
                searched += 2
                start = searched
            }
            return bytes[start..<searched]
        }
        return nil
    }

    /// The next bytes, at most so many.
    mutating func take(atMost limit: Int) -> [UInt8] {
        let end = start + min(limit, count)
        defer {
            start = end
            searched = end
        }
        return Array(bytes[start..<end])
    }
}
