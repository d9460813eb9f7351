import Holdfast
import HoldfastStorage
import Synchronization

/// What an engine is made of: its loop holds it as long as it runs.
final class EngineCore: Sendable {
    let store: Store
    let transport: any SyncTransport
    let configuration: SyncConfiguration
    let account: String?
    let token: SyncEngine.TokenProvider?
    let clock: EngineClock
    let environment: SyncEnvironment
    private let state = Mutex(EngineState())

    init(
        store: Store,
        transport: any SyncTransport,
        configuration: SyncConfiguration,
        account: String?,
        token: SyncEngine.TokenProvider?,
        clock: EngineClock,
        environment: SyncEnvironment
    ) {
        self.store = store
        self.transport = transport
        self.configuration = configuration
        self.account = account
        self.token = token
        self.clock = clock
        self.environment = environment
    }

    /// Begins a loop, unless one runs.
    func start() {
        let (messages, mailbox) = AsyncStream.makeStream(of: EngineMessage.self)
        let isFirst = state.withLock { state in
            guard state.mailbox == nil else { return false }
            state.mailbox = mailbox
            state.triggers = []
            state.failure = nil
            return true
        }
        guard isFirst else { return }
        let tasks = [
            Task.detached { await EngineLoop(self).run(messages) },
            Task.detached { await self.hearLocalWrites() },
        ]
        let isStopped = state.withLock { state in
            guard state.mailbox != nil else { return true }
            state.tasks = tasks
            return false
        }
        if isStopped { for task in tasks { task.cancel() } }
    }

    /// Ends the loop, and returns what may still be running.
    func end() -> [Task<Void, Never>] {
        let (mailbox, tasks) = state.withLock { state in
            let taken = (state.mailbox, state.tasks)
            state.mailbox = nil
            state.tasks = []
            state.activity = nil
            return taken
        }
        mailbox?.finish()
        for task in tasks { task.cancel() }
        return tasks
    }

    /// Tells the loop something.
    ///
    /// - Returns: Whether there is one.
    @discardableResult
    func post(_ message: EngineMessage) -> Bool {
        state.withLock { state in
            guard let mailbox = state.mailbox else { return false }
            if case .trigger(let trigger) = message {
                guard state.triggers.insert(trigger).inserted else { return true }
            }
            mailbox.yield(message)
            return true
        }
    }

    /// A trigger has come to the loop: the next one is news again.
    func received(_ trigger: SyncTrigger) { state.withLock { _ = $0.triggers.remove(trigger) } }

    func nextNumber() -> Int {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    var isRunning: Bool { state.withLock { $0.mailbox != nil } }
    var failure: (any Error)? { state.withLock(\.failure) }
    var credentials: SyncCredentials { state.withLock(\.credentials) }
}

/// Its status.
extension EngineCore {
    var status: SyncStatus {
        let activity = state.withLock(\.activity)
        return (try? store.read { try $0.syncStatus(activity, at: clock.now) }) ?? SyncStatus()
    }

    /// The loop has made a step.
    func show(_ activity: SyncActivity?, _ credentials: SyncCredentials? = nil) {
        state.withLock { state in
            state.activity = activity
            if let credentials { state.credentials = credentials }
            if activity != nil { state.failure = nil }
        }
        tellObservers()
    }

    /// The loop has failed: it begins again after a delay, unless the error is final.
    func fail(_ error: any Error) {
        state.withLock { state in
            guard state.mailbox != nil else { return }
            state.failure = error
            state.activity = nil
        }
        tellObservers()
    }

    /// A stream of statuses: the one of now, and each that differs in more than its times.
    func statuses() -> AsyncStream<SyncStatus> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: SyncStatus.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let number = nextNumber()
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.observers.removeValue(forKey: number) }
        }
        let status = status
        state.withLock { $0.observers[number] = (continuation, status) }
        continuation.yield(status)
        return stream
    }

    private func tellObservers() {
        guard state.withLock({ !$0.observers.isEmpty }) else { return }
        let status = status
        let streams = state.withLock { state in
            let news = state.observers.filter { !$0.value.shown.isSame(as: status) }
            for number in news.keys { state.observers[number]?.shown = status }
            return news.values.map(\.stream)
        }
        for stream in streams { stream.yield(status) }
    }
}

/// What its loop is told of.
extension EngineCore {
    private func hearLocalWrites() async {
        for await _ in store.recordedCommits() { post(.trigger(.localWrite)) }
    }

    /// Listens for hints; a line that ended is opened again after a while.
    func hearPokes() async {
        var backoff = Backoff(base: configuration.backoffBase, cap: configuration.backoffCap)
        while !Task.isCancelled {
            for await poke in transport.pokes(credentials) {
                backoff.succeed()
                switch poke {
                case .ping: break
                case .poke(let scopes): post(.trigger(.poke(scopes)))
                case .resync: post(.trigger(.poke()))
                }
            }
            let delay = backoff.fail(retryAfter: .seconds(1), random: environment.random())
            try? await clock.sleep(until: clock.now + delay)
        }
    }
}

extension SyncStatus {
    /// Whether two differ in nothing but the times that pass by themselves.
    fileprivate func isSame(as other: Self) -> Bool {
        var (left, right) = (self, other)
        left.nextAttempt = nil
        left.lastSuccess = nil
        right.nextAttempt = nil
        right.lastSuccess = nil
        return left == right
    }
}
