import HoldfastStorage
package import HoldfastSync
import Synchronization

/// HTTP/1.1 over plain sockets, for `http://` alone, with connections that are kept for the next
/// request.
package final class SocketExchange: HTTPExchange {
    private let host: String
    private let port: Int
    private let authority: String
    private let idle = Mutex<[ClientConnection]>([])
    /// How many connections are kept while nothing goes over them.
    private static let idleLimit = 8

    /// An exchange with a server.
    package init(host: String, port: Int) {
        self.host = host
        self.port = port
        let name = host.contains(":") ? "[\(host)]" : host
        authority = port == 80 ? name : "\(name):\(port)"
    }

    package func response(
        to request: HTTPRequest,
        timeout: Duration,
        bodyLimit: Int
    ) async throws(TransportFailure) -> HTTPResponse {
        let deadline = ContinuousClock.now + timeout
        let request = complete(request)
        while true {
            let connection = try await connection(until: deadline)
            do throws(ClientFailure) {
                return try await exchange(request, over: connection, deadline, bodyLimit)
            } catch {
                // The server ended an idle connection just when it was used again (RFC 9112, 9.3.1);
                // a request of this protocol has one effect however often it is sent.
                guard connection.isUsed, error.isUnanswered, error.kind == .unreachable else {
                    throw error.transportFailure
                }
            }
        }
    }

    package func stream(
        _ request: HTTPRequest,
        opening: HTTPRequest,
        silence: Duration
    ) async throws(TransportFailure) -> (HTTPResponseHead, AsyncStream<[UInt8]>) {
        let connection = try await connect(until: .now + silence)
        let request = complete(request)
        do throws(ClientFailure) {
            try await connection.send(request, patience: silence)
            var limits = HTTPLimits()
            limits.bodyBytes = .max
            var reader = HTTPResponseReader(limits: limits, method: request.head.method)
            let event = try await connection.event(&reader, until: .now + silence)
            guard case .head(let head) = event else {
                throw ClientFailure(.invalid, isUnanswered: false)
            }
            return (head, Self.body(of: connection, reader, silence))
        } catch {
            throw error.transportFailure
        }
    }

    private func complete(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        request.head.headers.add("Host", authority)
        if !request.body.isEmpty || request.head.method == "POST" {
            request.head.headers.add("Content-Length", String(request.body.count))
        }
        return request
    }
}

/// Its connections.
extension SocketExchange {
    private func connection(
        until deadline: ContinuousClock.Instant
    ) async throws(TransportFailure) -> ClientConnection {
        while let kept = idle.withLock({ $0.popLast() }) {
            if kept.isQuiet { return kept.reused }
        }
        return try await connect(until: deadline)
    }

    private func connect(
        until deadline: ContinuousClock.Instant
    ) async throws(TransportFailure) -> ClientConnection {
        do throws(SocketError) {
            let stream = try await SocketStream.connect(to: host, port: port, until: deadline)
            return ClientConnection(stream)
        } catch {
            throw TransportFailure(.unreachable)
        }
    }

    private func keep(_ connection: ClientConnection) {
        idle.withLock { if $0.count < Self.idleLimit { $0.append(connection) } }
    }

    private func exchange(
        _ request: HTTPRequest,
        over connection: ClientConnection,
        _ deadline: ContinuousClock.Instant,
        _ bodyLimit: Int
    ) async throws(ClientFailure) -> HTTPResponse {
        try await connection.send(request, patience: ContinuousClock.now.duration(to: deadline))
        var limits = HTTPLimits()
        limits.bodyBytes = bodyLimit
        var reader = HTTPResponseReader(limits: limits, method: request.head.method)
        var response: HTTPResponse?
        while true {
            switch try await connection.event(&reader, until: deadline) {
            case .head(let head): response = HTTPResponse(head)
            case .body(let bytes): response?.body += bytes
            case .end:
                if reader.keepsAlive { keep(connection) }
                guard let response else { throw ClientFailure(.invalid, isUnanswered: false) }
                return response
            }
        }
    }

    /// The rest of a response as it comes, until it ends, is silent too long, or nobody takes it.
    private static func body(
        of connection: ClientConnection,
        _ first: HTTPResponseReader,
        _ silence: Duration
    ) -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            let task = Task.detached {
                var reader = first
                while let event = try? await connection.event(&reader, until: .now + silence),
                    case .body(let bytes) = event
                {
                    continuation.yield(bytes)
                }
                connection.abort()
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
