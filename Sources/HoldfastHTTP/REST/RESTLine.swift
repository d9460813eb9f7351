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
        guard response.status == 200 else { throw refusal(response) }
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
        default: return response
        }
    }

    /// What the API has now.
    ///
    /// - Throws: `TransportFailure`, `.invalid` for a record without a version.
    func current(_ record: RecordReference) async throws(TransportFailure) -> Current {
        let response = try await act("GET", on: record)
        switch response.status {
        case 404, 410: return .absent
        case 200: break
        default: throw refusal(response)
        }
        guard let object = response.body.flatMap(api.record) else {
            throw TransportFailure(.foreign)
        }
        guard let version = api.versions.read(response) else { throw TransportFailure(.invalid) }
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
        let type = head.headers["Content-Type"]?.split(separator: ";").first ?? ""
        if type.isSameToken(as: "text/html") { return false }
        let isSuccess = (200..<300).contains(head.status)
        return !isSuccess || body.isEmpty || (try? JSONValue(parsing: body)) != nil
    }
}
