package import Holdfast

/// The engine without its effects: it is told what happened, changes the store, and says what to
/// send and when to come back.
///
/// One event is handled to its end before the next. It has no clock, no task and no socket, so that
/// a simulation can run it as an app does. Whatever has to survive stands in the store: a machine
/// may be dropped at any moment and another one made.
package final class SyncMachine {
    /// The number of a request, never used twice by one machine.
    package struct RequestNumber: Hashable, Sendable {
        package let rawValue: UInt64

        package init(_ rawValue: UInt64) { self.rawValue = rawValue }
    }

    /// What happens to it.
    package enum Event: Sendable {
        /// It begins.
        case start
        /// Somebody asks it to look.
        case trigger(SyncTrigger)
        /// A request got its answer, or none.
        case answered(RequestNumber, Result<SyncAnswer, TransportFailure>)
        /// The credentials that it asked for; `nil` when there are none to be had.
        case credentials(SyncCredentials?)
        /// The time has come that it asked to be woken at.
        case woke
    }

    /// A request to send.
    package struct Outgoing: Sendable {
        package var number: RequestNumber
        package var request: SyncRequest
        package var credentials: SyncCredentials
    }

    /// What is to be done after an event.
    package struct Step: Sendable {
        /// The requests to send.
        package var requests: [Outgoing] = []
        /// When to come back at the latest; `nil` when only an event can help.
        package var wakeAt: Duration?
        /// Whether fresh credentials are wanted.
        package var wantsCredentials = false
    }

    let store: Store
    let configuration: SyncConfiguration
    let environment: SyncEnvironment
    let tables: SyncedTables

    /// What is known of this replica, as it is stored.
    var client: ClientState
    /// The mutations that are not confirmed, by their records.
    var outstanding = OutstandingMutations()
    var connection = Connection.unknown
    var credentials = CredentialState.none
    var push: PushLane
    var pull: PullLane
    /// Failures to reach the server at all; both lanes wait for it.
    var network: Backoff
    /// When the server may be tried again.
    var networkRetryAt: Duration?
    /// Why nothing goes on by itself.
    var pause: PauseReason?
    /// When a pause whose cause may end by itself is looked at again.
    var pausedUntil: Duration?
    /// What became of the last request that failed.
    var lastFailure: TransportFailure?
    /// When the last request was answered.
    var lastSuccess: Duration?
    /// Whether a request passed its deadline and none was answered since.
    var isStalled = false
    /// Whether the store is being compared with a server that lost a part of its history.
    var isRestoring = false
    /// How often sync has been led back to where it was.
    var loops = LoopCounter()
    /// The store's resumptions that the machine has caught up with.
    var resumptions: Int
    var now = Duration.zero
    var step = Step()
    private var lastNumber: UInt64 = 0

    /// A machine over a store.
    ///
    /// - Throws: `StoreError`, or ``SyncError`` `.damagedState`.
    package init(
        store: Store,
        configuration: SyncConfiguration,
        environment: SyncEnvironment,
        credentials: SyncCredentials = SyncCredentials()
    ) async throws {
        self.store = store
        self.configuration = configuration
        self.environment = environment
        tables = try SyncedTables(store)
        self.credentials = .known(credentials)
        network = Backoff(base: configuration.backoffBase, cap: configuration.backoffCap)
        push = PushLane(configuration)
        pull = PullLane(configuration)
        resumptions = store.resumptions
        client = try await Self.openClient(store, configuration, environment)
        outstanding = try store.read { try OutstandingMutations($0) }
        try updateRestoring()
    }

    /// Handles one event.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - now: The time, on a clock that never goes back.
    /// - Returns: What is to be done.
    /// - Throws: `StoreError`, or ``SyncError`` `.damagedState`: the store did not change, and the
    ///   machine may be dropped or told again.
    package func handle(_ event: Event, at now: Duration) async throws -> Step {
        self.now = now
        step = Step()
        if store.resumptions != resumptions { try await catchUp() }
        switch event {
        case .start:
            try await link()
            try await update()
            push.want(at: now)
            pull.want(at: now)
        case .trigger(let trigger): note(trigger)
        case .answered(let number, let result): try await answered(number, result)
        case .credentials(let credentials): receive(credentials)
        case .woke: break
        }
        try await advance()
        return step
    }

    /// Sends a request.
    func send(_ request: SyncRequest) -> RequestNumber {
        lastNumber += 1
        let number = RequestNumber(lastNumber)
        step.requests.append(
            Outgoing(number: number, request: request, credentials: credentials.current)
        )
        return number
    }

    private func note(_ trigger: SyncTrigger) {
        switch trigger {
        case .localWrite:
            push.want(at: now + configuration.debounce)
        case .poke(let scopes):
            let meant = configuration.scopes.map { scopes.intersection($0) } ?? scopes
            if !scopes.isEmpty, meant.isSubset(of: pull.scopes) {
                if !meant.isEmpty { pull.want(meant, at: now) }
            } else {
                // One that is not known yet may just have been granted.
                pull.want(at: now)
            }
        case .disconnect:
            if pause == nil { pause = .offline }
        case .foreground, .reconnect, .manual:
            resume()
            push.want(at: now)
            pull.want(at: now)
        }
    }

    /// Takes away what a person or a new network may have changed.
    private func resume() {
        network.succeed()
        networkRetryAt = nil
        push.retryNow()
        pull.retryNow()
        loops = LoopCounter()
        switch pause {
        case .massDelete, .signedOut: break
        // Who answers now is asked before anything is sent: another one halts again.
        case .dataset:
            pause = nil
            connection = .unknown
        default: pause = nil
        }
        if case .refused = credentials { credentials = .known(credentials.current) }
    }
}
