extension HTTPRequestHead {
    /// The bytes up to the body.
    ///
    /// - Throws: ``HTTPFault`` where a part has characters that would begin another line.
    package func encoded() throws(HTTPFault) -> [UInt8] {
        guard !method.isEmpty, method.utf8.allSatisfy(HTTPByte.isToken), !target.isEmpty,
            target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { throw .malformed("The request line cannot be written.") }
        var bytes = Array("\(method) \(target) HTTP/1.\(minorVersion)\r\n".utf8)
        for field in headers.fields {
            guard field.isWritable else { throw .malformed("A field cannot be written.") }
        }
        headers.write(to: &bytes)
        return bytes
    }
}

extension HTTPResponseHead {
    /// The bytes up to the body; a field that would begin another line is left out.
    package func encoded() -> [UInt8] {
        var bytes = Array("HTTP/1.\(minorVersion) \(status) \(HTTPStatus.phrase(status))\r\n".utf8)
        headers.write(to: &bytes)
        return bytes
    }
}

extension HTTPHeaders {
    fileprivate func write(to bytes: inout [UInt8]) {
        for field in fields where field.isWritable {
            bytes.append(contentsOf: field.name.utf8)
            bytes.append(contentsOf: ": ".utf8)
            bytes.append(contentsOf: field.value.utf8)
            bytes.append(contentsOf: "\r\n".utf8)
        }
        bytes.append(contentsOf: "\r\n".utf8)
    }
}

extension HTTPHeaders.Field {
    /// Whether it is one line, whatever its value was made of (response splitting).
    fileprivate var isWritable: Bool {
        !name.isEmpty && name.utf8.allSatisfy(HTTPByte.isToken)
            && value.utf8.allSatisfy(HTTPByte.isValue)
    }
}

/// The words for people behind a status (RFC 9110, 15).
enum HTTPStatus {
    private static let phrases: [Int: String] = [
        100: "Continue", 200: "OK", 204: "No Content", 400: "Bad Request", 401: "Unauthorized",
        403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout",
        409: "Conflict", 410: "Gone", 412: "Precondition Failed", 413: "Content Too Large",
        414: "URI Too Long", 415: "Unsupported Media Type", 417: "Expectation Failed",
        422: "Unprocessable Content", 426: "Upgrade Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 500: "Internal Server Error",
        501: "Not Implemented", 503: "Service Unavailable", 505: "HTTP Version Not Supported",
    ]

    static func phrase(_ status: Int) -> String { phrases[status] ?? "" }
}
