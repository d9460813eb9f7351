import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastTesting
import Testing

/// A replica's store and its machine, with a clock and a network in the test's hand.
///
/// Every request is held until the test says what becomes of it, or lets the network be well. After
/// every event what is stored is checked: each record is its base with its mutations.
final class Replica {
    typealias Answer = Result<SyncAnswer, TransportFailure>

    /// What becomes of a request.
    enum Fate: Hashable, CaseIterable {
        /// It is answered.
        case answered
        /// It never arrives.
        case requestLost
        /// It arrives, and its answer is lost.
        case answerLost
        /// It arrives twice; the second answer is the one that comes.
        case doubled
    }

    let principal: Principal
    let configuration: SyncConfiguration
    let environment: SyncEnvironment
    var server: FakeServer
    private(set) var store: Store
    private(set) var machine: SyncMachine
    private(set) var now = Duration.zero
    private(set) var wakeAt: Duration?
    private(set) var wantsCredentials = false
    /// How often fresh credentials were asked for.
    private(set) var refreshes = 0
    var credentials: SyncCredentials
    /// Requests that wait for what becomes of them.
    private(set) var held: [SyncMachine.Outgoing] = []
    /// Every request so far.
    private(set) var sent: [SyncRequest] = []
    /// What the network makes of an answer.
    var distortion: (SyncRequest, Answer) -> Answer = { $1 }
    /// Answers in the server's place, which then never sees the request.
    var interception: (SyncRequest) -> Answer? = { _ in nil }
    /// Whether what is stored is checked after every event.
    var isChecked = true

    init(
        server: FakeServer,
        principal: Principal,
        storage: any Storage,
        schema: Schema,
        configuration: SyncConfiguration,
        seed: UInt64,
        credentials: SyncCredentials = SyncCredentials(),
        wallClock: @escaping @Sendable () -> Int64 = { 1_767_225_600_000 }
    ) async throws {
        self.server = server
        self.principal = principal
        self.configuration = configuration
        self.credentials = credentials
        let random = SharedRandom(seed: seed &* 7_919)
        environment = SyncEnvironment(
            random: { random.next() },
            ids: ScenarioWorld.ids(seed: seed &+ 1_000),
            wallClock: wallClock
        )
        store = try await Store(storage: storage, schema: schema, ids: environment.ids)
        machine = try await SyncMachine(
            store: store,
            configuration: configuration,
            environment: environment,
            credentials: credentials
        )
    }

    // MARK: Events

    func start() async throws { try await handle(.start) }

    func handle(_ event: SyncMachine.Event) async throws {
        let step = try await machine.handle(event, at: now)
        for outgoing in step.requests { sent.append(outgoing.request) }
        held += step.requests
        wakeAt = step.wakeAt
        if step.wantsCredentials, !wantsCredentials { refreshes += 1 }
        wantsCredentials = step.wantsCredentials
        if isChecked { try store.checkSyncState() }
    }

    /// A transaction of the app.
    func write(
        atomicOnServer: Bool = false,
        _ body: @Sendable (inout WriteTransaction) throws -> Void
    ) async throws {
        try await store.write(atomicOnServer: atomicOnServer) { try body(&$0) }
        try await handle(.trigger(.localWrite))
    }

    func put(_ object: JSONObject, in table: TableName = "notes") async throws {
        try await write { try $0.put(object, in: table) }
    }

    func delete(_ id: RecordID, in table: TableName = "notes") async throws {
        try await write { _ = try $0.delete(id, in: table) }
    }

    /// The app is killed, at this place in its work, and started again.
    func restart() async throws {
        machine = try await SyncMachine(
            store: store,
            configuration: configuration,
            environment: environment,
            credentials: credentials
        )
        held = []
        try await start()
    }

    /// The app is closed, and another version of it, or a restored one, opens what is stored.
    func reopen(on storage: any Storage, schema: Schema) async throws {
        store = try await Store(storage: storage, schema: schema, ids: environment.ids)
        try await restart()
    }

    // MARK: The network

    /// Takes a request out of the hand: it goes on to a server, or never does.
    func take(_ kind: ServerFault.RequestKind) throws -> SyncMachine.Outgoing {
        let place = try #require(held.firstIndex { $0.request.kind == kind })
        return held.remove(at: place)
    }

    /// What the server answers to a request that arrives now.
    func arrive(_ outgoing: SyncMachine.Outgoing) async -> Answer {
        if let answer = interception(outgoing.request) { return answer }
        let transport = server.transport(for: principal)
        let answer: Answer
        do throws(TransportFailure) {
            answer = .success(
                try await transport.answer(outgoing.request, outgoing.credentials)
            )
        } catch {
            answer = .failure(error)
        }
        return distortion(outgoing.request, answer)
    }

    /// Decides about a held request.
    func resolve(_ kind: ServerFault.RequestKind, _ fate: Fate = .answered) async throws {
        let outgoing = try take(kind)
        switch fate {
        case .answered: try await answer(outgoing, await arrive(outgoing))
        case .requestLost: try await answer(outgoing, .failure(TransportFailure(.timedOut)))
        case .answerLost:
            _ = await arrive(outgoing)
            try await answer(outgoing, .failure(TransportFailure(.timedOut)))
        case .doubled:
            _ = await arrive(outgoing)
            try await answer(outgoing, await arrive(outgoing))
        }
    }

    func answer(_ outgoing: SyncMachine.Outgoing, _ answer: Answer) async throws {
        held.removeAll { $0.number == outgoing.number }
        try await handle(.answered(outgoing.number, answer))
    }

    // MARK: Time

    /// Goes on with a healthy network until a request of a kind is held, and no longer.
    func advance(to kind: ServerFault.RequestKind) async throws {
        for _ in 0..<10_000 {
            if held.contains(where: { $0.request.kind == kind }) { return }
            guard try await goOn(until: now + .seconds(600)) else { break }
        }
        Issue.record("no such request was sent: \(kind)")
    }

    /// Lets time pass, without an answer to anything but `hello`, until a request of a kind is held.
    func hold(_ kind: ServerFault.RequestKind) async throws {
        for _ in 0..<100 {
            if held.contains(where: { $0.request.kind == kind }) { return }
            // Without it nothing is ever sent.
            if held.contains(where: { $0.request.kind == .hello }) {
                try await resolve(.hello)
                continue
            }
            guard let wakeAt else { break }
            now = max(now, wakeAt)
            try await handle(.woke)
        }
        Issue.record("no such request was sent: \(kind)")
    }

    /// A network that is well, for so long.
    func run(for time: Duration) async throws {
        let end = now + time
        for _ in 0..<100_000 {
            guard try await goOn(until: end) else {
                now = end
                return
            }
        }
        Issue.record("it goes round in circles")
    }

    /// Somebody asks to sync, and the network is well until there is nothing more to do.
    func sync() async throws {
        try await handle(.trigger(.manual))
        let end = now + .seconds(30)
        for _ in 0..<100_000 {
            if held.isEmpty, machine.isIdle { return }
            guard try await goOn(until: end) else { return }
        }
        Issue.record("it goes round in circles")
    }

    /// Nobody answers for so long: time passes.
    func waitInSilence(_ time: Duration) async throws {
        let end = now + time
        while let wakeAt, wakeAt <= end {
            now = max(now, wakeAt)
            try await handle(.woke)
            if self.wakeAt == wakeAt { break }
        }
        now = end
    }

    /// - Returns: Whether something was done.
    private func goOn(until end: Duration) async throws -> Bool {
        if let outgoing = held.first {
            try await answer(outgoing, await arrive(outgoing))
        } else if let wakeAt, wakeAt <= end {
            now = max(now, wakeAt)
            try await handle(.woke)
        } else {
            return false
        }
        return true
    }
}

extension SyncRequest {
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
