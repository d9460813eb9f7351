public import Foundation
import Holdfast
package import HoldfastNetwork
public import HoldfastSync

/// Sync with an API that exists, instead of a server that speaks the protocol.
///
/// ```swift
/// let transport = try RESTTransport(baseURL: url, api: api)
/// let engine = try SyncEngine(store: store, transport: transport) { _ in token }
/// ```
///
/// Mutations become `PUT`, `PATCH` and `DELETE` with `If-Match`, `If-None-Match` and
/// `Idempotency-Key`; where a condition does not hold, the record is read: what was sent is done if it
/// stands there, and otherwise in conflict with what does. Several changes that have to be applied
/// together, numbers to add and actions cannot be said so: a schema that has counters or
/// server-authoritative tables is refused when the engine is made, and a group needs attention.
///
/// | answer | what becomes of the mutation |
/// | --- | --- |
/// | 2xx | done; without a version in it the record is read |
/// | 404, 410 to `DELETE` | done |
/// | 409, 412, 428 | done if the record is as it was sent, otherwise a conflict |
/// | 404, 410 to an edit | a conflict with a record that is gone |
/// | other 4xx | needs attention, with the API's reason |
/// | 401 | sent again with a new token |
/// | 408, 425, 429, 5xx, no answer | sent again later |
/// | 3xx, 511, a page in HTML | nothing is concluded: somebody else answered; a 4xx counts where the API answers otherwise |
///
/// A mutation counts as confirmed when the history was read to its end after it was done.
public struct RESTTransport: SyncTransport {
    private let exchange: any HTTPExchange
    private let path: String
    private let api: RESTAPI
    private let limits: TransportLimits
    /// The API has one history.
    private static let epoch = EpochID("rest")
    /// How many mutations an engine hands over at once: each is a request, or three.
    private static let operations = 20

    /// A transport to an API.
    ///
    /// - Parameters:
    ///   - baseURL: What the API's paths are relative to; `https` but for tests.
    ///   - api: The API.
    ///   - timeout: How long what the engine asks for may take as a whole. Less than the engine's
    ///     deadline, so that what was done until then is known.
    /// - Throws: ``HTTPTransportError`` for a URL that cannot be one.
    public init(baseURL: URL, api: RESTAPI, timeout: Duration = .seconds(25)) throws {
        let url: ServerURL
        do throws(ServerURL.Problem) { url = try ServerURL(baseURL.absoluteString) } catch {
            throw HTTPTransportError(url: baseURL, reason: error.description)
        }
        var limits = TransportLimits()
        limits.timeout = timeout
        self.init(URLSessionExchange(url), path: url.path, api: api, limits: limits)
    }

    package init(
        _ exchange: any HTTPExchange,
        path: String = "/",
        api: RESTAPI,
        limits: TransportLimits = TransportLimits()
    ) {
        self.exchange = exchange
        self.path = path
        self.api = api
        self.limits = limits
    }

    /// Single fields.
    public var capabilities: SyncCapabilities { .patch }

    /// Asks whether the API is there, by the beginning of its history.
    ///
    /// - Throws: `TransportFailure`.
    public func hello(
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> ServerHello {
        _ = try await page(RESTPull(probing: api), credentials)
        return ServerHello(
            dataset: api.dataset,
            epoch: Self.epoch,
            scopes: api.scopes,
            maximumOperations: Self.operations,
            maximumPage: api.pageLimit
        )
    }

    /// Sends mutations, one after another.
    ///
    /// What stops one of the line's own accord stops those behind it; they are put off.
    ///
    /// - Throws: `TransportFailure`; with `.unreachable` and `.timedOut` the API may have applied the
    ///   first one.
    public func push(
        _ request: PushRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> PushResponse {
        let line = line(credentials)
        var results: [PushResult] = []
        for operation in request.operations.map(\.text) {
            let operation = try Self.operation(operation)
            do throws(TransportFailure) {
                results.append(try await RESTMutation(line: line, operation: operation).result())
            } catch {
                if results.isEmpty { throw error }
                let rest = request.operations[results.count...]
                for text in rest { results.append(.putOff(try Self.operation(text.text).key)) }
                break
            }
        }
        return PushResponse(dataset: api.dataset, epoch: Self.epoch, results: results)
    }

    /// Asks for changes.
    ///
    /// - Throws: `TransportFailure`.
    public func changes(
        _ request: ChangesRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> ChangesPage {
        let pull = RESTPull(
            cursor: request.cursor?.text,
            limit: min(request.limit, api.pageLimit),
            scope: request.scope,
            tables: request.tables,
            wait: request.wait
        )
        let page = try await page(pull, credentials)
        return ChangesPage(
            dataset: api.dataset,
            epoch: Self.epoch,
            scopes: api.scopes,
            changes: page.records.map { ServerChange($0, in: request.scope) },
            cursor: SyncCursor(page.cursor),
            hasMore: page.hasMore
        )
    }

    /// Asks for a page of everything, where the API has such pages.
    ///
    /// - Throws: `TransportFailure`; `.refused` with status 501 where it has none.
    public func snapshot(
        _ request: SnapshotRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> SnapshotPage {
        guard let snapshot = api.snapshot else {
            throw TransportFailure(
                .refused(status: 501),
                problem: SyncProblem(
                    type: ProblemType.cursorExpired,
                    detail: "The API's history no longer goes back to where this store stands, and"
                        + " the app knows no way to read everything anew."
                )
            )
        }
        let pull = RESTPull(
            cursor: request.after?.text,
            limit: min(request.limit, api.pageLimit),
            scope: request.scope,
            tables: request.tables
        )
        let response = try await line(credentials).ask(snapshot.request(pull))
        let page = try Self.read { try snapshot.page(response, pull) }
        return SnapshotPage(
            dataset: api.dataset,
            epoch: Self.epoch,
            scopes: api.scopes,
            head: page.head,
            records: page.records.map { ServerChange($0, in: request.scope) },
            next: page.next.map { SyncCursor($0) },
            cursor: SyncCursor(page.cursor)
        )
    }

    /// Asks for single records, one after another.
    ///
    /// - Throws: `TransportFailure`.
    public func records(
        _ request: RecordsRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> RecordsPage {
        let line = line(credentials)
        var records: [ServerChange] = []
        for id in request.ids {
            let reference = RecordReference(request.table, id)
            guard case .present(let object, let version) = try await line.current(reference),
                let scope = api.scopes.first
            else { continue }
            let record = RESTRecord(reference, version: version, fields: object)
            records.append(ServerChange(record, in: scope))
        }
        return RecordsPage(dataset: api.dataset, epoch: Self.epoch, records: records)
    }

    /// No hints: such an API has none, and the engine asks by its clock.
    public func pokes(_ credentials: SyncCredentials) -> AsyncStream<ServerPoke> {
        // Held by its own end, so that it lasts until nobody listens.
        AsyncStream { continuation in continuation.onTermination = { _ in _ = continuation } }
    }
}

extension RESTTransport {
    private func line(_ credentials: SyncCredentials, patience: Duration = .zero) -> RESTLine {
        var limits = limits
        limits.timeout += patience
        return RESTLine(
            exchange: exchange,
            api: api,
            path: path,
            limits: limits,
            token: credentials.token,
            deadline: .now + limits.timeout,
            now: { Int64(Date().timeIntervalSince1970) }
        )
    }

    private func page(
        _ pull: RESTPull,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> RESTPage {
        let response = try await line(credentials, patience: pull.wait).ask(api.changes(pull))
        return try Self.read { try api.page(response, pull) }
    }

    /// What an app's own reading of an answer makes of it.
    private static func read<Page>(
        _ body: () throws -> Page
    ) throws(TransportFailure) -> Page {
        do { return try body() } catch { throw TransportFailure(.invalid) }
    }

    private static func operation(_ text: [UInt8]) throws(TransportFailure) -> PushOperation {
        do throws(WireError) { return try PushOperation(text: text) } catch {
            throw TransportFailure(.invalid)
        }
    }
}

extension PushResult {
    /// A mutation whose turn did not come.
    fileprivate static func putOff(_ key: MutationKey) -> Self {
        Self(
            key: key,
            status: .deferred,
            problem: SyncProblem(
                type: "about:blank",
                detail: "The line broke before this change was sent."
            )
        )
    }
}

extension ServerChange {
    fileprivate init(_ record: RESTRecord, in scope: ScopeName) {
        self.init(
            scope: scope,
            record: record.reference,
            version: record.version,
            sequence: record.version.number,
            kind: record.fields == nil ? .delete : .put,
            fields: record.fields
        )
    }
}
