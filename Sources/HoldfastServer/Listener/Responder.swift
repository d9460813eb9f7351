import Holdfast
import HoldfastNetwork
import HoldfastSync

/// Says what a server answers to requests of HTTP.
struct Responder: Sendable {
    let server: SyncServer
    let configuration: ListenerConfiguration
    let metrics: ListenerMetrics

    /// The response to a request that can be answered at once, or after a wait for a first change.
    ///
    /// `hear` begins to listen for hints, until the listener stops or the wait is over.
    func response(
        to route: Route,
        _ request: HTTPRequest,
        _ target: HTTPTarget,
        _ principal: Principal,
        hear: @Sendable (Duration) -> Hearing
    ) async -> HTTPResponse {
        do throws(ServerRefusal) {
            switch route {
            case .hello: return json(try await server.hello(principal: principal).json)
            case .push:
                try Self.requireJSON(request.head)
                let push = try Self.read { () throws(WireError) in
                    try PushRequest(text: request.body)
                }
                return json(try await server.push(push, principal: principal).json)
            case .changes:
                let changes = try Self.read { () throws(WireError) in
                    try ChangesRequest(query: target.query)
                }
                return json(try await page(changes, principal, hear: hear).json)
            case .snapshot:
                let snapshot = try Self.read { () throws(WireError) in
                    try SnapshotRequest(query: target.query)
                }
                return json(try await server.snapshot(snapshot, principal: principal).json)
            case .records:
                let records = try Self.read { () throws(WireError) in
                    try RecordsRequest(query: target.query)
                }
                return json(try await server.records(records, principal: principal).json)
            case .metrics: return metricsText()
            case .health: return try health()
            case .feed: throw ServerRefusal(500, "about:blank", "A feed is no single answer.")
            }
        } catch {
            return response(error)
        }
    }

    /// The response that refuses a request.
    func response(_ refusal: ServerRefusal) -> HTTPResponse {
        let body = identity.map { identity in
            refusal.problem.refusal(
                status: refusal.status,
                dataset: identity.dataset,
                epoch: identity.epoch
            )
        }
        let type = "application/problem+json"
        var response = json(body ?? refusal.problem.json, status: refusal.status, type: type)
        if let delay = refusal.retryAfter {
            let seconds = delay.components.seconds + (delay.components.attoseconds > 0 ? 1 : 0)
            response.head.headers.add("Retry-After", String(max(0, seconds)))
        }
        if refusal.status == 401 { response.head.headers.add("WWW-Authenticate", "Bearer") }
        return response
    }

    /// The fields that every response has.
    func head(_ status: Int, type: String) -> HTTPResponseHead {
        let seconds = server.configuration.clock() / 1_000
        return HTTPResponseHead(
            status: status,
            headers: [
                "Date": HTTPDate.text(seconds), "Content-Type": type, "Cache-Control": "no-store",
            ]
        )
    }
}

extension Responder {
    /// A page, for which a client may be ready to wait until it has something in it.
    private func page(
        _ request: ChangesRequest,
        _ principal: Principal,
        hear: @Sendable (Duration) -> Hearing
    ) async throws(ServerRefusal) -> ChangesPage {
        guard request.wait > .zero else {
            return try await server.changes(request, principal: principal)
        }
        // Heard before it is looked for, so that nothing comes in between.
        let hearing = hear(min(request.wait, configuration.longestWait))
        defer { hearing.end() }
        var page = try await server.changes(request, principal: principal)
        guard page.isWorthWaiting else { return page }
        for await hint in hearing.hints where hint != .ping {
            page = try await server.changes(request, principal: principal)
            if !page.isWorthWaiting { break }
        }
        return page
    }

    /// Which dataset answers; `nil` while the store fails, when nobody can say.
    private var identity: DatasetRecord? { try? server.store.read { try SyncServer.dataset($0) } }

    private func json(
        _ object: JSONObject,
        status: Int = 200,
        type: String = "application/json"
    ) -> HTTPResponse {
        guard let body = try? object.serializedMessage() else {
            return HTTPResponse(head(500, type: "application/problem+json"))
        }
        return HTTPResponse(head(status, type: type), body: body)
    }

    private func health() throws(ServerRefusal) -> HTTPResponse {
        guard let identity else {
            throw ServerRefusal(503, "about:blank", "The server's store cannot be read.")
        }
        return json(["status": "ok", "dataset": .string(identity.dataset.text)])
    }

    private func metricsText() -> HTTPResponse {
        let statistics = try? server.store.statistics()
        let figures = statistics.map { statistics in
            [
                ("holdfast_records", "Records of the store, its own too.", statistics.records),
                (
                    "holdfast_journal_bytes", "Bytes of the store's journal.",
                    Int(clamping: statistics.journalBytes)
                ),
                (
                    "holdfast_disk_full", "Whether writes wait for room.",
                    statistics.isDiskFull ? 1 : 0
                ),
            ]
        }
        return HTTPResponse(
            head(200, type: "text/plain; version=0.0.4; charset=utf-8"),
            body: Array(metrics.text(figures ?? []).utf8)
        )
    }

    /// A page in the web cannot send this type without being asked first whether it may: so none can
    /// write to a server that is open on the same machine.
    private static func requireJSON(_ head: HTTPRequestHead) throws(ServerRefusal) {
        let type = head.headers["Content-Type"]?.split(separator: ";").first
        let isJSON = type.map { type in
            String(type).filter { $0 != " " && $0 != "\t" }.isSameToken(as: "application/json")
        }
        guard isJSON == true else {
            throw ServerRefusal(415, "about:blank", "A push is sent as application/json.")
        }
    }

    private static func read<Request>(
        _ body: () throws(WireError) -> Request
    ) throws(ServerRefusal) -> Request {
        do throws(WireError) {
            return try body()
        } catch {
            throw ServerRefusal(400, ProblemType.invalid, error.description)
        }
    }
}

extension ChangesPage {
    /// Whether it says nothing yet.
    fileprivate var isWorthWaiting: Bool { changes.isEmpty && !hasMore }
}
