/// A response's line and fields.
package struct HTTPResponseHead: Hashable, Sendable {
    /// The status: 100 to 599.
    package var status: Int
    /// The minor version of HTTP/1: 0 or 1.
    package var minorVersion = 1
    package var headers: HTTPHeaders

    package init(status: Int, headers: HTTPHeaders = [:]) {
        self.status = status
        self.headers = headers
    }
}

/// A response with all of its body.
package struct HTTPResponse: Hashable, Sendable {
    package var head: HTTPResponseHead
    package var body: [UInt8]

    package init(_ head: HTTPResponseHead, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }
}
