public import Foundation
import HoldfastNetwork
public import HoldfastSync

/// The sync protocol over HTTP, by the system's URL loading: with its TLS, its proxies and its rules.
///
/// ```swift
/// let url = URL(string: "https://sync.example.com/")!
/// let transport = try HTTPTransport(baseURL: url)
/// let engine = try SyncEngine(store: store, transport: transport) { rejected in
///     try await session.token(insteadOf: rejected)
/// }
/// ```
///
/// It sends the engine's token as `Authorization: Bearer` and keeps nothing: no cookies, no cache.
/// Redirects are not followed, since the token is for the server alone; who redirects counts as
/// something else than the server, as a captive portal does.
public struct HTTPTransport: SyncTransport {
    private let transport: ExchangeTransport<URLSessionExchange>

    /// A transport to a server.
    ///
    /// - Parameters:
    ///   - baseURL: What the paths of PROTOCOL.md are relative to; `https` but for tests.
    ///   - timeout: How long a request may take as a whole, besides what it allows the server to
    ///     wait. Less than the engine's deadline, so that it is known that none came.
    ///   - responseLimit: How many bytes of a response are kept; a longer one is an answer against
    ///     the protocol.
    /// - Throws: ``HTTPTransportError`` for a URL that cannot be one.
    public init(
        baseURL: URL,
        timeout: Duration = .seconds(25),
        responseLimit: Int = 64 << 20
    ) throws {
        let url: ServerURL
        do throws(ServerURL.Problem) { url = try ServerURL(baseURL.absoluteString) } catch {
            throw HTTPTransportError(url: baseURL, reason: error.description)
        }
        var limits = TransportLimits()
        limits.timeout = timeout
        limits.bodyBytes = responseLimit
        transport = ExchangeTransport(
            URLSessionExchange(url),
            path: url.path,
            limits: limits,
            now: { Int64(Date().timeIntervalSince1970) }
        )
    }

    /// Everything that the protocol has.
    public var capabilities: SyncCapabilities { transport.capabilities }

    /// Asks who is there.
    ///
    /// - Throws: `TransportFailure`.
    public func hello(
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> ServerHello {
        try await transport.hello(credentials)
    }

    /// Sends mutations.
    ///
    /// - Throws: `TransportFailure`; with `.unreachable` and `.timedOut` the server may have applied
    ///   them.
    public func push(
        _ request: PushRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> PushResponse {
        try await transport.push(request, credentials)
    }

    /// Asks for changes.
    ///
    /// - Throws: `TransportFailure`.
    public func changes(
        _ request: ChangesRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> ChangesPage {
        try await transport.changes(request, credentials)
    }

    /// Asks for a page of a snapshot.
    ///
    /// - Throws: `TransportFailure`.
    public func snapshot(
        _ request: SnapshotRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> SnapshotPage {
        try await transport.snapshot(request, credentials)
    }

    /// Asks for single records.
    ///
    /// - Throws: `TransportFailure`.
    public func records(
        _ request: RecordsRequest,
        _ credentials: SyncCredentials
    ) async throws(TransportFailure) -> RecordsPage {
        try await transport.records(request, credentials)
    }

    /// Listens for hints, until the line ends, to be opened anew.
    ///
    /// On Linux a line that nobody takes any more stays until the server ends it or falls silent, as
    /// does a request that was given up: the library there cannot be told to end one without a risk
    /// for the process.
    public func pokes(_ credentials: SyncCredentials) -> AsyncStream<ServerPoke> {
        transport.pokes(credentials)
    }
}
