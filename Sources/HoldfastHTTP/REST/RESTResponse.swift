import Foundation
public import Holdfast
import HoldfastNetwork

/// What an API answered.
public struct RESTResponse: Sendable {
    /// The status: 200 to 599.
    public let status: Int
    /// The body; `nil` where there is none, or none in JSON.
    public let body: JSONValue?
    let headers: HTTPHeaders
    private let bytes: [UInt8]

    init(_ response: HTTPResponse) {
        status = response.head.status
        headers = response.head.headers
        bytes = response.body
        body = bytes.isEmpty ? nil : try? JSONValue(parsing: bytes)
    }

    /// Whether it is a page for people.
    var isPage: Bool {
        let type = headers["Content-Type"]?.split(separator: ";").first ?? ""
        return type.isSameToken(as: "text/html")
    }

    /// A field of the response's head, whatever the case of its name.
    public func header(_ name: String) -> String? { headers[name] }

    /// The body as a type of the app's, by the system's decoder of JSON.
    ///
    /// - Throws: `DecodingError`.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(bytes))
    }
}
