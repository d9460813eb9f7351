public import Holdfast
public import HoldfastServer
import HoldfastStorage
public import HoldfastSync
import Synchronization

/// A whole server in memory, for tests: it does what a real one does, and what goes wrong is a
/// test's to say.
///
/// ```swift
/// let server = try await FakeServer(schema: schema)
/// server.fail(with: .lostAnswer, of: [.push])
/// let engine = SyncEngine(store: store, transport: server.transport())
/// ```
///
/// It keeps records, versions, deletions and the keys of mutations, so that a request which is sent
/// again, or arrives twice, has one effect.
public final class FakeServer: Sendable {
    /// The server at one moment; see ``FakeServer/restore(_:)``.
    public struct Backup: Sendable {
        let snapshot: any StorageSnapshot
    }

    /// A request, and what became of it.
    public struct Exchange: Sendable {
        /// Who sent it.
        public let principal: Principal
        /// What was sent.
        public let request: SyncRequest
        /// What was answered; `nil` as long as there is no answer.
        public internal(set) var result: Result<SyncAnswer, TransportFailure>?
    }

    private struct Plan {
        let fault: ServerFault
        let kinds: Set<ServerFault.RequestKind>
        var skipped: Int
        var times: Int?
    }

    private struct State {
        var server: SyncServer
        var plans: [Plan] = []
        var exchanges: [Exchange] = []
        var held: [CheckedContinuation<Void, Never>] = []
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var refusedTokens: Set<String> = []
    }

    private let schema: Schema?
    private let configuration: SyncServerConfiguration
    private let codesMessages: Bool
    private let state: Mutex<State>

    /// A server without records.
    ///
    /// - Parameters:
    ///   - schema: What its records are like; the app's own schema, or none.
    ///   - configuration: Scopes, checks and handlers of the server.
    ///   - codesMessages: Whether every message goes through its text, as over a network.
    /// - Throws: `StoreError`.
    public init(
        schema: Schema? = nil,
        configuration: SyncServerConfiguration = SyncServerConfiguration(),
        codesMessages: Bool = true
    ) async throws {
        self.schema = schema.map(\.unrecorded)
        self.configuration = configuration
        self.codesMessages = codesMessages
        let server = try await Self.serve(MemoryStorage(), self.schema, configuration)
        state = Mutex(State(server: server))
    }

    /// A server that goes on from a moment of another as if nothing had happened: in the same epoch.
    ///
    /// - Throws: `StoreError`.
    package init(
        continuing backup: Backup,
        schema: Schema? = nil,
        configuration: SyncServerConfiguration = SyncServerConfiguration()
    ) async throws {
        self.schema = schema.map(\.unrecorded)
        self.configuration = configuration
        codesMessages = true
        let storage = try await backup.storage()
        let server = try await Self.serve(storage, self.schema, configuration)
        state = Mutex(State(server: server))
    }

    private static func serve(
        _ storage: MemoryStorage,
        _ schema: Schema?,
        _ configuration: SyncServerConfiguration
    ) async throws -> SyncServer {
        let store = try await Store(storage: storage, schema: schema, ids: configuration.ids)
        return try await SyncServer(store: store, configuration: configuration)
    }

    /// The server's logic; another one after ``restore(_:)``.
    public var server: SyncServer { state.withLock { $0.server } }

    /// The server's records, in their tables.
    public var store: Store { server.store }

    /// Every request so far, in the order of their arrival, and what became of each.
    public var exchanges: [Exchange] { state.withLock { $0.exchanges } }

    /// A way to this server for the replicas of a principal.
    public func transport(for principal: Principal = Principal("user")) -> FakeTransport {
        FakeTransport(server: self, principal: principal)
    }

    /// Writes as another device does that the server serves, or as an administrator.
    ///
    /// - Parameter body: The transaction. A throw rolls everything back.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or `StoreError`.
    @discardableResult
    public func write<Result: Sendable>(
        _ body: @Sendable (inout ServerTransaction) throws -> Result
    ) async throws -> Result {
        try await server.write(body)
    }

    /// A record as the server has it; `nil` where there is none.
    ///
    /// - Throws: `StoreError`.
    public func record(_ id: RecordID, in table: TableName) throws -> JSONObject? {
        try store.read { try $0.get(id, in: table) }
    }
}

/// What goes wrong.
extension FakeServer {
    /// Makes requests fail from now on; of several faults that meet one request the first counts.
    ///
    /// - Parameters:
    ///   - fault: What goes wrong.
    ///   - kinds: The requests that it can meet; all by default.
    ///   - skipped: How many such requests pass unharmed first.
    ///   - times: How many it meets after that; `nil` for all.
    public func fail(
        with fault: ServerFault,
        of kinds: Set<ServerFault.RequestKind> = Set(ServerFault.RequestKind.allCases),
        after skipped: Int = 0,
        times: Int? = 1
    ) {
        state.withLock {
            $0.plans.append(Plan(fault: fault, kinds: kinds, skipped: skipped, times: times))
        }
    }

    /// Takes every fault back; what is held stays held.
    public func removeFaults() { state.withLock { $0.plans = [] } }

    /// Refuses a token with status 401 from now on.
    public func refuse(token: String) { _ = state.withLock { $0.refusedTokens.insert(token) } }

    /// Lets everything go on that a fault holds.
    public func release() {
        let held = state.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    /// Waits until so many requests, or answers, are held.
    public func waitUntilHeld(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                if state.held.count >= count { return true }
                state.waiting.append((count, continuation))
                return false
            }
            if isHeld { continuation.resume() }
        }
    }

    private func hold() async {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state in
                state.held.append(continuation)
                let ready = state.waiting.filter { $0.count <= state.held.count }
                state.waiting.removeAll { $0.count <= state.held.count }
                return ready
            }
            for waiter in ready { waiter.continuation.resume() }
        }
    }

    private func nextFault(of request: SyncRequest) -> ServerFault? {
        state.withLock { state in
            for place in state.plans.indices where state.plans[place].kinds.contains(request.kind) {
                if state.plans[place].skipped > 0 {
                    state.plans[place].skipped -= 1
                    continue
                }
                let plan = state.plans[place]
                if let times = plan.times {
                    state.plans[place].times = times - 1
                    if times <= 1 { state.plans.remove(at: place) }
                }
                return plan.fault
            }
            return nil
        }
    }
}

/// What it forgets, and goes back to.
extension FakeServer {
    /// Forgets every deletion: a client that has not asked since takes a snapshot.
    ///
    /// - Throws: `StoreError`.
    public func purgeTombstones() async throws {
        try await server.purgeTombstones(through: RecordVersion(.max))
    }

    /// Forgets the results of mutations that are older than the configuration's retention: who
    /// sends one of them again is told that its outcome is no longer known.
    ///
    /// - Throws: `StoreError`.
    public func forgetResults() async throws { try await server.collectKeys() }

    /// The server at this moment.
    ///
    /// - Throws: `StoreError`.
    public func backup() throws -> Backup { Backup(snapshot: try store.storage.snapshot()) }

    /// Becomes what a backup was, as a server that was restored from one: what happened since is
    /// forgotten, and clients are told by another epoch.
    ///
    /// - Throws: `StoreError`.
    public func restore(_ backup: Backup) async throws {
        let server = try await Self.serve(try await backup.storage(), schema, configuration)
        try await server.beginEpoch()
        state.withLock { $0.server = server }
    }
}

extension FakeServer.Backup {
    /// A copy, to be written.
    fileprivate func storage() async throws -> MemoryStorage {
        let storage = MemoryStorage()
        try await storage.write(.buffered) { transaction in
            try snapshot.scan(.all, .forward) { key, value in
                try transaction.put(value, for: key)
                return true
            }
        }
        return storage
    }
}

extension FakeServer {
    /// Answers a request as a network and a server do.
    func exchange(
        _ request: SyncRequest,
        _ credentials: SyncCredentials,
        as principal: Principal
    ) async throws(TransportFailure) -> SyncAnswer {
        let place = state.withLock { state in
            state.exchanges.append(Exchange(principal: principal, request: request))
            return state.exchanges.count - 1
        }
        do throws(TransportFailure) {
            let answer = try await deliver(request, credentials, principal)
            state.withLock { $0.exchanges[place].result = .success(answer) }
            return answer
        } catch {
            state.withLock { $0.exchanges[place].result = .failure(error) }
            throw error
        }
    }

    private func deliver(
        _ request: SyncRequest,
        _ credentials: SyncCredentials,
        _ principal: Principal
    ) async throws(TransportFailure) -> SyncAnswer {
        switch nextFault(of: request) {
        case nil: return try await checked(request, credentials, principal)
        case .unreachable: throw TransportFailure(.unreachable)
        case .lostRequest: throw TransportFailure(.timedOut)
        case .lostAnswer:
            _ = try await checked(request, credentials, principal)
            throw TransportFailure(.timedOut)
        case .doubled:
            _ = try await checked(request, credentials, principal)
            return try await checked(request, credentials, principal)
        case .portal: throw TransportFailure(.foreign)
        case .status(let status, let delay):
            throw TransportFailure(.refused(status: status), retryAfter: delay)
        case .heldRequest:
            await hold()
            return try await checked(request, credentials, principal)
        case .heldAnswer:
            let answer = try await checked(request, credentials, principal)
            await hold()
            return answer
        case .garbled(let distortion):
            let answer = try await checked(request, credentials, principal)
            return try distortion.applied(to: answer, of: request)
        }
    }

    private func checked(
        _ request: SyncRequest,
        _ credentials: SyncCredentials,
        _ principal: Principal
    ) async throws(TransportFailure) -> SyncAnswer {
        let isRefused = state.withLock { state in
            credentials.token.map { state.refusedTokens.contains($0) } ?? false
        }
        if isRefused { throw TransportFailure(.refused(status: 401)) }
        return try await answer(request, as: principal)
    }

    /// Answers a request that has reached the server, whatever was said about faults.
    func answer(
        _ request: SyncRequest,
        as principal: Principal
    ) async throws(TransportFailure) -> SyncAnswer {
        let transport = LocalTransport(server: server, codes: codesMessages) { _ in principal }
        return try await transport.answer(request, SyncCredentials())
    }
}

extension Schema {
    /// The schema of a server that serves the tables: its own writes are not queued for another.
    var unrecorded: Schema { changingTables { $0.recording = nil } }
}

extension SyncRequest {
    /// The kind of request.
    var kind: ServerFault.RequestKind {
        switch self {
        case .hello: .hello
        case .push: .push
        case .changes: .changes
        case .snapshot: .snapshot
        case .records: .records
        }
    }
}
