package import Holdfast
package import HoldfastSync

extension SyncRequest {
    /// The request as HTTP says it (PROTOCOL.md).
    ///
    /// - Parameters:
    ///   - path: What the base URL's path is, with a slash at its end: `/`.
    ///   - credentials: The token that it carries.
    /// - Returns: The request, without what belongs to the connection.
    /// - Throws: `JSONError` for a mutation whose text is none.
    package func http(
        below path: String,
        _ credentials: SyncCredentials
    ) throws(JSONError) -> HTTPRequest {
        var headers: HTTPHeaders = ["Accept": "application/json"]
        if let token = credentials.token { headers.add("Authorization", "Bearer \(token)") }
        switch self {
        case .push(let request):
            headers.add("Content-Type", "application/json")
            let head = HTTPRequestHead(method: "POST", target: path + endpoint, headers: headers)
            return HTTPRequest(head, body: try request.text())
        case .hello, .changes, .snapshot, .records:
            let target = HTTPTarget(path: path + endpoint, query: query)
            return HTTPRequest(
                HTTPRequestHead(method: "GET", target: target.encoded, headers: headers)
            )
        }
    }

    /// The name of the endpoint, below the base URL.
    package var endpoint: String {
        switch self {
        case .hello: "sync/hello"
        case .push: "sync/push"
        case .changes: "sync/changes"
        case .snapshot: "sync/snapshot"
        case .records: "sync/records"
        }
    }

    private var query: [QueryItem] {
        switch self {
        case .hello, .push: []
        case .changes(let request): request.query
        case .snapshot(let request): request.query
        case .records(let request): request.query
        }
    }
}
