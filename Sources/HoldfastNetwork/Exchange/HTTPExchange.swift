package import HoldfastSync

/// How requests of HTTP reach one server: what each transport has of its own.
///
/// The target of a request begins with `/`; the server and its name are the exchange's. Redirects
/// are never followed: the token is for nobody else.
package protocol HTTPExchange: Sendable {
    /// Sends a request and receives the whole response, whatever its status.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - timeout: How long it may take as a whole.
    ///   - bodyLimit: How many bytes of body are received; a longer one is `.invalid`.
    /// - Returns: The response.
    /// - Throws: `TransportFailure` `.unreachable` where nothing was sent for certain or no server
    ///   answered, `.timedOut`, or `.invalid` for what is not HTTP.
    func response(
        to request: HTTPRequest,
        timeout: Duration,
        bodyLimit: Int
    ) async throws(TransportFailure) -> HTTPResponse

    /// Sends a request whose response goes on for as long as both sides want.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - opening: One that is answered at once, which may be sent before over the same connection.
    ///   - silence: How long nothing may come before the line counts as broken.
    /// - Returns: The head, and the body as it arrives; the line is closed when nobody takes it.
    /// - Throws: `TransportFailure`, as ``response(to:timeout:bodyLimit:)`` does.
    func stream(
        _ request: HTTPRequest,
        opening: HTTPRequest,
        silence: Duration
    ) async throws(TransportFailure) -> (HTTPResponseHead, AsyncStream<[UInt8]>)
}
