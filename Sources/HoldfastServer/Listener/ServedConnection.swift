import Holdfast
import HoldfastNetwork
import HoldfastSync

/// One connection of a listener: its requests, one after another, until it ends.
struct ServedConnection: Sendable {
    let stream: SocketStream
    let number: UInt64
    let listener: ListenerState

    private var configuration: ListenerConfiguration { listener.configuration }
    private var responder: Responder { listener.responder }

    /// Answers until either side has enough.
    func run() async {
        var source = RequestSource(stream, configuration, bodyLimit: listener.bodyLimit)
        do {
            while let head = try await source.head() {
                // While the listener stops, what began before is finished and nothing is begun.
                guard listener.begin(number) else { break }
                let goesOn = try await answer(head, &source)
                guard listener.finish(number), goesOn else { break }
            }
        } catch let fault as HTTPFault {
            await refuse(fault)
        } catch {
            // The line broke: there is nobody to tell.
        }
    }

    /// Answers one request.
    ///
    /// - Returns: Whether another one can follow.
    private func answer(
        _ head: HTTPRequestHead,
        _ source: inout RequestSource
    ) async throws -> Bool {
        let start = ContinuousClock.now
        var (route, principal): (Route?, Principal?)
        let response: HTTPResponse
        var isRead = false
        do throws(ServerRefusal) {
            let target = try Self.target(head)
            let found = try Route(head.method, target.path)
            route = found
            principal = try await authenticate(head, found)
            let caller = principal ?? Principal("nobody")
            if found == .feed, head.method == "GET" {
                await FeedLine(stream, responder, listener).run(caller, number)
                log(head, target.path, caller, 200, 0, since: start)
                return false
            }
            let body = try await self.body(&source)
            isRead = true
            response = await responder.response(
                to: found,
                HTTPRequest(head, body: body),
                target,
                caller
            ) { [listener, number] limit in
                listener.hear(caller, number).ending(after: limit)
            }
        } catch {
            response = responder.response(error)
        }
        let goesOn = (isRead || !head.hasBody) && source.keepsAlive && !listener.isStopping
        try await send(response, to: head, closes: !goesOn)
        let path = route?.rawValue ?? ""
        log(head, path, principal, response.head.status, response.body.count, since: start)
        metricsCount(route, response, since: start)
        if !goesOn { await close() }
        return goesOn
    }
}

extension ServedConnection {
    private static func target(_ head: HTTPRequestHead) throws(ServerRefusal) -> HTTPTarget {
        do throws(HTTPFault) { return try HTTPTarget(head.target) } catch {
            throw ServerRefusal(error.status, "about:blank", error.detail)
        }
    }

    private func authenticate(
        _ head: HTTPRequestHead,
        _ route: Route
    ) async throws(ServerRefusal) -> Principal? {
        if route.isPublic { return nil }
        let token = head.headers.bearerToken
        if let principal = await configuration.authentication.principal(token) { return principal }
        throw ServerRefusal(
            401,
            ProblemType.unauthorized,
            token == nil
                ? "Send a token: Authorization: Bearer ..."
                : "The token is not good, or no longer."
        )
    }

    private func body(_ source: inout RequestSource) async throws(ServerRefusal) -> [UInt8] {
        do {
            if source.expectsContinue {
                try await stream.write(
                    HTTPResponseHead(status: 100).encoded(),
                    patience: configuration.writeTimeout
                )
            }
            return try await source.body()
        } catch let fault as HTTPFault {
            throw ServerRefusal(
                fault.status,
                fault.status == 413 ? ProblemType.tooLarge : "about:blank",
                fault.detail
            )
        } catch {
            throw ServerRefusal(400, "about:blank", "The connection broke.")
        }
    }

    private func send(
        _ response: HTTPResponse,
        to head: HTTPRequestHead,
        closes: Bool
    ) async throws {
        var answer = response.head
        answer.headers.add("Content-Length", String(response.body.count))
        if closes {
            answer.headers.add("Connection", "close")
        } else if head.minorVersion == 0 {
            answer.headers.add("Connection", "keep-alive")
        }
        var bytes = answer.encoded()
        if head.method != "HEAD" { bytes += response.body }
        try await stream.write(bytes, patience: configuration.writeTimeout)
    }

    /// Answers a connection for which there is no room.
    static func turnAway(_ stream: SocketStream, _ listener: ListenerState) async {
        let refusal = ServerRefusal(
            status: 503,
            problem: SyncProblem(type: "about:blank", detail: "There are too many connections."),
            retryAfter: .seconds(1)
        )
        let connection = ServedConnection(stream: stream, number: 0, listener: listener)
        let response = listener.responder.response(refusal)
        let head = HTTPRequestHead(method: "", target: "")
        try? await connection.send(response, to: head, closes: true)
        await connection.close()
    }

    /// Says why a message could not be read, after which nobody knows where the next one begins.
    private func refuse(_ fault: HTTPFault) async {
        let refusal = ServerRefusal(fault.status, "about:blank", fault.detail)
        let response = responder.response(refusal)
        let head = HTTPRequestHead(method: "", target: "")
        try? await send(response, to: head, closes: true)
        log(head, "", nil, fault.status, response.body.count, since: .now)
        metricsCount(nil, response, since: .now)
        await close()
    }

    /// Ends it so that the response arrives: an end while bytes of the client are unread would take
    /// it away from its hands (RFC 9112, 9.6).
    private func close() async {
        stream.finishSending()
        let deadline = ContinuousClock.now + .seconds(1)
        var left = 1 << 20
        while left > 0, let bytes = try? await stream.read(until: deadline), !bytes.isEmpty {
            left -= bytes.count
        }
    }

    private func log(
        _ head: HTTPRequestHead,
        _ path: String,
        _ principal: Principal?,
        _ status: Int,
        _ bytes: Int,
        since start: ContinuousClock.Instant
    ) {
        guard let log = configuration.accessLog else { return }
        log(
            AccessRecord(
                time: responder.server.configuration.clock(),
                principal: principal,
                method: head.method,
                path: path,
                status: status,
                bytes: bytes,
                duration: start.duration(to: .now)
            )
        )
    }

    private func metricsCount(
        _ route: Route?,
        _ response: HTTPResponse,
        since start: ContinuousClock.Instant
    ) {
        responder.metrics.answered(
            route,
            response.head.status,
            bytes: response.body.count,
            start.duration(to: .now)
        )
    }
}

extension HTTPRequestHead {
    /// Whether a body follows.
    fileprivate var hasBody: Bool {
        headers["Transfer-Encoding"] != nil
            || (headers["Content-Length"].map { $0 != "0" } ?? false)
    }
}
