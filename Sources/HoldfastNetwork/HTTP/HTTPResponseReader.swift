/// A part of a response.
package enum HTTPResponseEvent: Hashable, Sendable {
    /// The line and the fields.
    case head(HTTPResponseHead)
    /// The next bytes of the body.
    case body([UInt8])
    /// The body's end.
    case end
}

/// Reads responses from bytes as they arrive (RFC 9112), as strictly as requests are read.
///
/// Interim responses, of 1xx, are passed over.
package struct HTTPResponseReader: Sendable {
    private enum Step {
        case line
        case fields(HTTPResponseHead, FieldReader)
        case body(BodyReader)
        case failed(HTTPFault)
    }

    private let limits: HTTPLimits
    private let hasBody: Bool
    private var buffer = LineBuffer()
    private var step = Step.line
    /// Whether the connection can go on behind the response that was read last.
    package private(set) var keepsAlive = false

    /// A reader of the responses to requests with a method; those to `HEAD` have no body.
    package init(limits: HTTPLimits, method: String) {
        self.limits = limits
        hasBody = method != "HEAD"
    }

    package mutating func append(_ bytes: ArraySlice<UInt8>) { buffer.append(bytes) }

    /// The next part; `nil` where more bytes are needed.
    ///
    /// - Throws: ``HTTPFault``, from then on again and again.
    package mutating func next() throws(HTTPFault) -> HTTPResponseEvent? {
        do throws(HTTPFault) {
            return try read()
        } catch {
            step = .failed(error)
            throw error
        }
    }

    /// What the end of the connection means; `nil` between two responses.
    ///
    /// - Throws: ``HTTPFault`` where a response is cut off.
    package mutating func end() throws(HTTPFault) -> HTTPResponseEvent? {
        switch step {
        case .body(let body) where body.endsWithConnection:
            step = .line
            return .end
        case .line where buffer.isEmpty: return nil
        case .failed(let fault): throw fault
        case .line, .fields, .body: throw .malformed("The response is cut off.")
        }
    }

    private mutating func read() throws(HTTPFault) -> HTTPResponseEvent? {
        while true {
            switch step {
            case .failed(let fault): throw fault
            case .line:
                let tooLong = HTTPFault(status: 431, detail: "The status line is too long.")
                guard let line = try buffer.line(atMost: limits.headBytes, tooLong: tooLong) else {
                    return nil
                }
                let fields = FieldReader(
                    bytes: limits.headBytes - line.count,
                    fields: limits.fields
                )
                step = .fields(try Self.head(line), fields)
            case .fields(var head, var fields):
                let isComplete = try fields.read(&buffer)
                head.headers = fields.headers
                guard isComplete else {
                    step = .fields(head, fields)
                    return nil
                }
                // Interim ones have no body, and the final one follows (RFC 9110, 15.2).
                if (100..<200).contains(head.status) {
                    step = .line
                    continue
                }
                step = .body(try begin(head))
                return .head(head)
            case .body(var body):
                let bytes = try body.next(&buffer)
                step = .body(body)
                if let bytes { return .body(bytes) }
                guard body.isDone else { return nil }
                step = .line
                return .end
            }
        }
    }

    /// `HTTP/1.1 200 OK`, of which the words for people may be missing (RFC 9112, 4).
    private static func head(_ line: ArraySlice<UInt8>) throws(HTTPFault) -> HTTPResponseHead {
        let words = line.split(
            separator: HTTPByte.space,
            maxSplits: 2,
            omittingEmptySubsequences: false
        )
        guard words.count >= 2, words[1].count == 3,
            let status = Int(String(decoding: words[1], as: UTF8.self)),
            (100...599).contains(status), line.allSatisfy(HTTPByte.isValue)
        else { throw .malformed("The status line is none.") }
        var head = HTTPResponseHead(status: status)
        head.minorVersion = try HTTPVersion.minor(words[0])
        return head
    }

    private mutating func begin(_ head: HTTPResponseHead) throws(HTTPFault) -> BodyReader {
        let framing = try BodyFraming(head.headers, minorVersion: head.minorVersion)
        let isBodiless = !hasBody || head.status == 204 || head.status == 304
        let actual = isBodiless ? BodyFraming.none : framing ?? .untilEnd
        keepsAlive =
            head.headers.keepsAlive(minorVersion: head.minorVersion) && actual != .untilEnd
        return try BodyReader(actual, limits)
    }
}
