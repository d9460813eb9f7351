/// A part of a request.
package enum HTTPRequestEvent: Hashable, Sendable {
    /// The line and the fields.
    case head(HTTPRequestHead)
    /// The next bytes of the body.
    case body([UInt8])
    /// The body's end.
    case end
}

/// Reads the requests of a connection, one after another, from bytes as they arrive (RFC 9112).
///
/// It is strict: lines end with CRLF, fields are not folded, and a length that could be understood
/// in two ways is refused. Each byte is looked at once; what is kept is within the limits.
package struct HTTPRequestReader: Sendable {
    private enum Step {
        case line
        case fields(HTTPRequestHead, FieldReader)
        case body(BodyReader)
        case failed(HTTPFault)
    }

    private let limits: HTTPLimits
    private var buffer = LineBuffer()
    private var step = Step.line
    private var skippedLines = 0
    /// Whether the connection can go on behind the request that was read last.
    package private(set) var keepsAlive = true
    /// Whether the client waits to be told to go on before it sends the body.
    package private(set) var expectsContinue = false

    package init(limits: HTTPLimits) { self.limits = limits }

    /// Whether nothing of a next request has come.
    package var isIdle: Bool {
        guard case .line = step else { return false }
        return buffer.isEmpty
    }

    package mutating func append(_ bytes: ArraySlice<UInt8>) { buffer.append(bytes) }

    /// The next part; `nil` where more bytes are needed.
    ///
    /// - Throws: ``HTTPFault``, from then on again and again.
    package mutating func next() throws(HTTPFault) -> HTTPRequestEvent? {
        do throws(HTTPFault) {
            return try read()
        } catch {
            step = .failed(error)
            throw error
        }
    }

    private mutating func read() throws(HTTPFault) -> HTTPRequestEvent? {
        while true {
            switch step {
            case .failed(let fault): throw fault
            case .line:
                guard let line = try requestLine() else { return nil }
                // A client may send one empty line behind a body (RFC 9112, 2.2).
                if line.isEmpty {
                    skippedLines += 1
                    guard skippedLines <= 1 else { throw .malformed("There is no request line.") }
                    continue
                }
                skippedLines = 0
                let fields = FieldReader(
                    bytes: limits.headBytes - line.count,
                    fields: limits.fields
                )
                step = .fields(try Self.head(line, limits), fields)
            case .fields(var head, var fields):
                let isComplete = try fields.read(&buffer)
                head.headers = fields.headers
                guard isComplete else {
                    step = .fields(head, fields)
                    return nil
                }
                try begin(head)
                return .head(head)
            case .body(var body):
                if let bytes = try body.next(&buffer) {
                    step = .body(body)
                    return .body(bytes)
                }
                guard body.isDone else {
                    step = .body(body)
                    return nil
                }
                step = .line
                return .end
            }
        }
    }

    private mutating func requestLine() throws(HTTPFault) -> ArraySlice<UInt8>? {
        try buffer.line(
            atMost: limits.targetBytes + 64,
            tooLong: HTTPFault(status: 414, detail: "The target is too long.")
        )
    }

    /// `GET /path HTTP/1.1`, with one space between the words (RFC 9112, 3).
    private static func head(
        _ line: ArraySlice<UInt8>,
        _ limits: HTTPLimits
    ) throws(HTTPFault) -> HTTPRequestHead {
        let words = line.split(
            separator: HTTPByte.space,
            maxSplits: 3,
            omittingEmptySubsequences: false
        )
        guard words.count == 3, (1...32).contains(words[0].count),
            words[0].allSatisfy(HTTPByte.isToken)
        else { throw .malformed("The request line is none.") }
        guard !words[1].isEmpty, words[1].allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .malformed("The target has characters that it cannot have.")
        }
        guard words[1].count <= limits.targetBytes else {
            throw HTTPFault(status: 414, detail: "The target is too long.")
        }
        var head = HTTPRequestHead(
            method: String(decoding: words[0], as: UTF8.self),
            target: String(decoding: words[1], as: UTF8.self)
        )
        head.minorVersion = try HTTPVersion.minor(words[2])
        return head
    }

    /// Looks at what the fields say of the message.
    private mutating func begin(_ head: HTTPRequestHead) throws(HTTPFault) {
        let hosts = head.headers.values(of: "Host")
        // Without one name, two servers could see two sites in one request (RFC 9112, 3.2).
        guard hosts.count == 1 || (hosts.isEmpty && head.minorVersion == 0) else {
            throw .malformed("A request names one host.")
        }
        expectsContinue = false
        let expectations = head.headers.values(of: "Expect")
        if !expectations.isEmpty, head.minorVersion == 1 {
            guard expectations.count == 1, expectations[0].isSameToken(as: "100-continue") else {
                throw HTTPFault(status: 417, detail: "The expectation is not known.")
            }
            expectsContinue = true
        }
        let framing = try BodyFraming(head.headers, minorVersion: head.minorVersion) ?? .none
        if framing == .none { expectsContinue = false }
        keepsAlive = head.headers.keepsAlive(minorVersion: head.minorVersion)
        step = .body(try BodyReader(framing, limits))
    }
}
