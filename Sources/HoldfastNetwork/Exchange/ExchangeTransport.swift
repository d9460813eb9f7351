import Holdfast
package import HoldfastSync

/// The protocol of sync over an exchange of HTTP.
package struct ExchangeTransport<Exchange: HTTPExchange>: SyncTransport {
    /// What carries the requests.
    package let exchange: Exchange
    private let path: String
    private let limits: TransportLimits
    private let now: @Sendable () -> Int64

    /// A transport.
    ///
    /// - Parameters:
    ///   - exchange: What carries the requests.
    ///   - path: The base URL's path, with a slash at its end.
    ///   - limits: How long it waits, and how much it receives.
    ///   - now: The time, in seconds since 1970.
    package init(
        _ exchange: Exchange,
        path: String,
        limits: TransportLimits,
        now: @escaping @Sendable () -> Int64
    ) {
        self.exchange = exchange
        self.path = path
        self.limits = limits
        self.now = now
    }

    package var capabilities: SyncCapabilities { .all }

    package func hello(
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> ServerHello {
        try await send(.hello, credentials) { (json) throws(WireError) in
            try ServerHello(json: json)
        }
    }

    package func push(
        _ request: PushRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> PushResponse {
        try await send(.push(request), credentials) { (json) throws(WireError) in
            try PushResponse(json: json)
        }
    }

    package func changes(
        _ request: ChangesRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> ChangesPage {
        try await send(.changes(request), credentials, patience: request.wait) {
            (json) throws(WireError) in try ChangesPage(json: json)
        }
    }

    package func snapshot(
        _ request: SnapshotRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> SnapshotPage {
        try await send(.snapshot(request), credentials) { (json) throws(WireError) in
            try SnapshotPage(json: json)
        }
    }

    package func records(
        _ request: RecordsRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> RecordsPage {
        try await send(.records(request), credentials) { (json) throws(WireError) in
            try RecordsPage(json: json)
        }
    }

    package func pokes(_ credentials: SyncCredentials) -> AsyncStream<ServerPoke> {
        AsyncStream(bufferingPolicy: .bufferingOldest(64)) { continuation in
            let task = Task.detached {
                await listen(credentials, continuation)
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

extension ExchangeTransport {
    private func send<Answer>(
        _ request: SyncRequest,
        _ credentials: SyncCredentials,
        patience: Duration = .zero,
        _ decode: (JSONObject) throws(WireError) -> Answer
    ) async throws(TransportFailure) -> Answer {
        let http: HTTPRequest
        do throws(JSONError) {
            http = try request.http(below: path, credentials)
        } catch {
            throw TransportFailure(.invalid)
        }
        let response = try await exchange.response(
            to: http,
            timeout: limits.timeout + patience,
            bodyLimit: limits.bodyBytes
        )
        return try response.answer(now: now(), decode)
    }

    private func listen(
        _ credentials: SyncCredentials,
        _ continuation: AsyncStream<ServerPoke>.Continuation
    ) async {
        var headers: HTTPHeaders = ["Accept": "text/event-stream"]
        if let token = credentials.token { headers.add("Authorization", "Bearer \(token)") }
        let request = HTTPRequest(
            HTTPRequestHead(method: "GET", target: path + "sync/feed", headers: headers)
        )
        guard let opening = try? SyncRequest.hello.http(below: path, credentials),
            let (head, body) = try? await exchange.stream(
                request,
                opening: opening,
                silence: limits.feedSilence
            ), head.status == 200, head.isEventStream
        else { return }
        var reader = ServerEventReader()
        for await bytes in body {
            guard let events = try? reader.read(bytes) else { return }
            for poke in events.compactMap(ServerPoke.init) {
                // Who takes no hints for so long gets a new line, which begins with all of them.
                if case .dropped = continuation.yield(poke) { return }
            }
        }
    }
}

extension HTTPResponseHead {
    fileprivate var isEventStream: Bool {
        let type = headers["Content-Type"]?.split(separator: ";").first
        return type.map { $0.isSameToken(as: "text/event-stream") } ?? false
    }
}
