/// A request's line and fields.
package struct HTTPRequestHead: Hashable, Sendable {
    /// The method, which has a case: `GET`.
    package var method: String
    /// The target as it stands in the line: `/sync/changes?scope=all`.
    package var target: String
    /// The minor version of HTTP/1: 0 or 1.
    package var minorVersion = 1
    package var headers: HTTPHeaders

    package init(method: String, target: String, headers: HTTPHeaders = [:]) {
        self.method = method
        self.target = target
        self.headers = headers
    }
}

/// A request with all of its body.
package struct HTTPRequest: Hashable, Sendable {
    package var head: HTTPRequestHead
    package var body: [UInt8]

    package init(_ head: HTTPRequestHead, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }
}
