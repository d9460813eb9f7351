import Foundation
import Holdfast
import HoldfastHTTP
import HoldfastNetwork
import HoldfastSync
import Synchronization

/// A small API of the kind that many apps have: records under `table/id` with entity tags, and a
/// history of what changed.
final class ExampleAPI: HTTPExchange {
    /// What becomes of a request.
    enum Fate {
        case answered
        /// It never arrives.
        case requestLost
        /// It has its effect, and the answer is lost.
        case answerLost
        /// Something else answers.
        case instead(HTTPResponse)
    }

    private struct Entry {
        var object: JSONObject?
        var version: Int64
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// Paths in the order of their last changes.
        var history: [(position: Int64, path: String)] = []
        var counter: Int64 = 0
        var answers: [String: (request: HTTPRequest, response: HTTPResponse)] = [:]
        var requests: [HTTPRequest] = []
        var effects = 0
        var fate: @Sendable (HTTPRequest) -> Fate = { _ in .answered }
    }

    /// Whether answers to writes have the version and the record in them.
    private let isTalkative: Bool
    private let state = Mutex(State())

    init(isTalkative: Bool = true) { self.isTalkative = isTalkative }

    // MARK: What a test does

    /// Every request that arrived, in order.
    var requests: [HTTPRequest] { state.withLock { $0.requests } }
    /// How many requests changed something.
    var effects: Int { state.withLock { $0.effects } }

    func decide(_ fate: @escaping @Sendable (HTTPRequest) -> Fate) {
        state.withLock { $0.fate = fate }
    }

    /// It keeps no keys for long.
    func forgetKeys() { state.withLock { $0.answers = [:] } }

    /// The records of a table that are there.
    func records(_ table: String) -> [String: JSONObject] {
        state.withLock { state in
            var result: [String: JSONObject] = [:]
            for (path, entry) in state.entries where path.hasPrefix("/\(table)/") {
                result[String(path.dropFirst(table.utf8.count + 2))] = entry.object
            }
            return result
        }
    }

    /// Somebody else's edit.
    func write(_ object: JSONObject?, at path: String) {
        state.withLock { Self.set(object, at: path, &$0) }
    }

    // MARK: Requests

    func response(
        to request: HTTPRequest,
        timeout: Duration,
        bodyLimit: Int
    ) async throws(TransportFailure) -> HTTPResponse {
        let response = state.withLock { state -> HTTPResponse? in
            let fate = state.fate(request)
            if case .requestLost = fate { return nil }
            state.requests.append(request)
            if case .instead(let response) = fate { return response }
            let response = once(request, &state)
            if case .answerLost = fate { return nil }
            return response
        }
        guard let response else { throw TransportFailure(.unreachable) }
        return response
    }

    func stream(
        _ request: HTTPRequest,
        opening: HTTPRequest,
        silence: Duration
    ) async throws(TransportFailure) -> (HTTPResponseHead, AsyncStream<[UInt8]>) {
        throw TransportFailure(.refused(status: 404))
    }

    /// The same key is answered the same, and belongs to one request.
    private func once(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
        guard let key = request.head.headers["Idempotency-Key"] else {
            return answer(request, &state)
        }
        if let known = state.answers[key] {
            let isSame =
                known.request.head.target == request.head.target
                && known.request.body == request.body
            return isSame ? known.response : Self.problem(422, "This key was for another request.")
        }
        let response = answer(request, &state)
        if response.head.status < 300 { state.answers[key] = (request, response) }
        return response
    }

    private func answer(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
        guard let target = try? HTTPTarget(request.head.target) else {
            return Self.problem(400, "")
        }
        if target.path == "/changes" { return changes(target, state) }
        let entry = state.entries[target.path]
        let isThere = entry?.object != nil
        let tag = entry.map { "\"\($0.version)\"" }
        let headers = request.head.headers
        if request.head.method == "GET" {
            guard let entry, let object = entry.object else { return Self.problem(404, "None.") }
            return Self.response(200, object, entry.version)
        }
        if headers["If-None-Match"] == "*", isThere { return Self.problem(412, "It is there.") }
        if let wanted = headers["If-Match"] {
            guard isThere else { return Self.problem(404, "It is not there.") }
            guard wanted == tag else { return Self.problem(412, "It is another version.") }
        }
        switch request.head.method {
        case "PUT":
            guard let object = try? JSONObject(parsing: request.body) else {
                return Self.problem(400, "No JSON.")
            }
            if object["title"] == "" { return Self.problem(422, "A title is missing.") }
            Self.set(object, at: target.path, &state)
        case "PATCH":
            guard var object = entry?.object, let patch = try? JSONObject(parsing: request.body)
            else { return Self.problem(400, "No JSON.") }
            for (name, value) in patch { object[name] = value == .null ? nil : value }
            Self.set(object, at: target.path, &state)
        case "DELETE":
            guard isThere else { return Self.problem(404, "It is not there.") }
            Self.set(nil, at: target.path, &state)
            return HTTPResponse(HTTPResponseHead(status: 204))
        default: return Self.problem(405, "No such method.")
        }
        guard isTalkative, let entry = state.entries[target.path], let object = entry.object else {
            return HTTPResponse(HTTPResponseHead(status: 204))
        }
        return Self.response(isThere ? 200 : 201, object, entry.version)
    }

    private static func set(_ object: JSONObject?, at path: String, _ state: inout State) {
        state.counter += 1
        state.effects += 1
        state.entries[path] = Entry(object: object, version: state.counter)
        state.history.removeAll { $0.path == path }
        state.history.append((state.counter, path))
    }

    private func changes(_ target: HTTPTarget, _ state: State) -> HTTPResponse {
        let query = Dictionary(uniqueKeysWithValues: target.query.map { ($0.name, $0.value) })
        let since = query["since"].flatMap { Int64($0) } ?? 0
        let limit = query["limit"].flatMap { Int($0) } ?? 10
        let rest = state.history.filter { $0.position > since }
        let items = rest.prefix(limit).map { place -> JSONValue in
            let parts = place.path.split(separator: "/").map { JSONValue.string(String($0)) }
            var item: JSONObject = ["table": parts[0], "id": parts[1]]
            item["version"] = (state.entries[place.path]?.version).map { .integer($0) }
            item["record"] = (state.entries[place.path]?.object).map { .object($0) }
            return .object(item)
        }
        let next = rest.prefix(limit).last?.position ?? since
        let more = rest.count > limit
        return Self.response(
            200,
            ["items": .array(items), "next": .integer(next), "more": .bool(more)]
        )
    }

    static func response(
        _ status: Int,
        _ object: JSONObject,
        _ version: Int64? = nil
    ) -> HTTPResponse {
        var head = HTTPResponseHead(status: status, headers: ["Content-Type": "application/json"])
        if let version { head.headers.add("ETag", "\"\(version)\"") }
        return HTTPResponse(head, body: (try? object.serializedMessage()) ?? [])
    }

    static func problem(_ status: Int, _ detail: String) -> HTTPResponse {
        response(status, ["type": "about:blank", "detail": .string(detail)])
    }
}

extension RESTAPI {
    /// The example, as an app describes it.
    static var example: RESTAPI {
        RESTAPI(dataset: DatasetID("example")) { pull in
            RESTRequest(
                "changes",
                query: ["since": pull.cursor ?? "0", "limit": "\(pull.limit)"]
            )
        } page: { response, _ in
            let body = try value(response.body?.objectValue)
            let items = try value(body["items"]?.arrayValue)
            return RESTPage(
                records: try items.map { item in
                    let item = try value(item.objectValue)
                    return RESTRecord(
                        try RecordReference(
                            TableName(value(item["table"]?.stringValue)),
                            RecordID(value(item["id"]?.stringValue))
                        ),
                        version: RecordVersion(try value(item["version"]?.integerValue)),
                        fields: item["record"]?.objectValue
                    )
                },
                cursor: "\(try value(body["next"]?.integerValue))",
                hasMore: try value(body["more"]?.boolValue)
            )
        }
    }
}

/// An answer that is not as it should be.
private struct BrokenAnswer: Error {}

private func value<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw BrokenAnswer() }
    return value
}
