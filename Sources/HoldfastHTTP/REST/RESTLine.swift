import Holdfast
import HoldfastNetwork
import HoldfastSync

/// Sends single requests to an API, and tells what speaks of the line from what speaks of a record.
struct RESTLine: Sendable {
    /// On which state of the record a request may have an effect.
    enum Condition {
        /// On whichever.
        case any
        /// On none: it must not exist.
        case absent
        case version(RecordVersion)
    }

    /// What an API has under a record's path.
    enum Current {
        case absent
        case present(JSONObject, RecordVersion)
        /// It does not say so.
        case unknown(SyncProblem)
    }

    let exchange: any HTTPExchange
    let api: RESTAPI
    /// The base URL's path, with a slash at its end.
    let path: String
    let limits: TransportLimits
    let token: String?
    /// When everything has to be over.
    let deadline: ContinuousClock.Instant
    let now: @Sendable () -> Int64

    /// Asks a question that is about no single record.
    ///
    /// - Returns: A response with status 200 and a body in JSON.
    /// - Throws: `TransportFailure`, `.foreign` for what the API cannot have said.
    func ask(_ request: RESTRequest) async throws(TransportFailure) -> RESTResponse {
        let response = try await send("GET", request)
        guard response.status == 200 else {
            throw response.isPage ? TransportFailure(.foreign) : refusal(response)
        }
        guard response.body != nil else { throw TransportFailure(.foreign) }
        return response
    }

    /// Does something to a record.
    ///
    /// - Returns: A response that speaks of the record, whatever its status.
    /// - Throws: `TransportFailure` where none came, or one that speaks of something else.
    func act(
        _ method: String,
        on record: RecordReference,
        _ condition: Condition = .any,
        key: String? = nil,
        body: JSONObject? = nil,
        type: String = "application/json"
    ) async throws(TransportFailure) -> RESTResponse {
        var headers = HTTPHeaders()
        switch condition {
        case .any: break
        case .absent: headers.add("If-None-Match", "*")
        case .version(let version): headers.add("If-Match", api.versions.tag(version))
        }
        // A structured field: a string in quotation marks (draft-ietf-httpapi-idempotency-key-header).
        if let key { headers.add("Idempotency-Key", "\"\(key)\"") }
        if body != nil { headers.add("Content-Type", type) }
        var request = RESTRequest()
        request.path = api.path(record)
        let response = try await send(method, request, headers, body: body)
        switch response.status {
        case 401, 408, 425, 429, 500...: throw refusal(response)
        default: break
        }
        // A proxy refuses with a page too, as a captive portal does: only where the API answers
        // otherwise is the refusal meant for this record.
        if response.isPage, try await !isThere() { throw TransportFailure(.foreign) }
        return response
    }

    private func isThere() async throws(TransportFailure) -> Bool {
        do throws(TransportFailure) {
            _ = try await ask(api.changes(RESTPull(probing: api)))
            return true
        } catch {
            if error.kind == .foreign { return false }
            throw error
        }
    }

    /// What the API has now.
    ///
    /// - Throws: `TransportFailure`.
    func current(_ record: RecordReference) async throws(TransportFailure) -> Current {
        let response = try await act("GET", on: record)
        switch response.status {
        case 404, 410: return .absent
        case 200: break
        default: return .unknown(problem(response))
        }
        guard let object = response.body.flatMap(api.record),
            let version = api.versions.read(response)
        else {
            return .unknown(
                SyncProblem(
                    type: ProblemType.invalid,
                    detail: "The server gave the record without its fields or without a version."
                )
            )
        }
        return .present(object, version)
    }

    /// What a refusal says of itself.
    func problem(_ response: RESTResponse) -> SyncProblem {
        let object = response.body?.objectValue
        let detail = object?["detail"]?.stringValue ?? object?["title"]?.stringValue
        return SyncProblem(
            type: object?["type"]?.stringValue ?? ProblemType.invalid,
            detail: detail ?? "The server refused the change with status \(response.status).",
            pointer: object?["pointer"]?.stringValue
        )
    }

    private func send(
        _ method: String,
        _ request: RESTRequest,
        _ fields: HTTPHeaders = HTTPHeaders(),
        body: JSONObject? = nil
    ) async throws(TransportFailure) -> RESTResponse {
        let rest = ContinuousClock.now.duration(to: deadline)
        guard rest > .zero else { throw TransportFailure(.timedOut) }
        var headers = fields
        headers.add("Accept", "application/json")
        if let token { headers.add("Authorization", "Bearer \(token)") }
        let target = HTTPTarget.encoded(
            below: path,
            request.path,
            query: request.query.sorted { $0.key < $1.key }.map { QueryItem($0.key, $0.value) }
        )
        let head = HTTPRequestHead(method: method, target: target, headers: headers)
        let bytes: [UInt8]
        do throws(JSONError) { bytes = try body?.serializedMessage() ?? [] } catch {
            throw TransportFailure(.invalid)
        }
        let response = try await exchange.response(
            to: HTTPRequest(head, body: bytes),
            timeout: min(limits.timeout, rest),
            bodyLimit: limits.bodyBytes
        )
        guard response.isOfAnAPI else { throw TransportFailure(.foreign) }
        return RESTResponse(response)
    }

    private func refusal(_ response: RESTResponse) -> TransportFailure {
        TransportFailure(
            .refused(status: response.status),
            problem: problem(response),
            retryAfter: RetryAfter.delay(response.headers, now: now())
        )
    }
}

extension HTTPResponse {
    /// Whether an API may have said it.
    ///
    /// A captive portal answers with a page for people, or leads to one, whatever it is asked.
    fileprivate var isOfAnAPI: Bool {
        if (300..<400).contains(head.status) || head.status == 511 { return false }
        guard (200..<300).contains(head.status) else { return true }
        let response = RESTResponse(self)
        return !response.isPage && (body.isEmpty || response.body != nil)
    }
}
