public import Holdfast

/// Keeps a store and a server in step, in the background: no read and no write ever waits for it.
///
/// ```swift
/// let engine = try SyncEngine(store: store, transport: transport)
/// engine.start()
/// print(engine.status)        // "3 changes wait", "synced": never more than is true
/// ```
///
/// It sends what was written to synced tables and brings what others wrote: after each local write,
/// at the server's hints, every so often by the clock, and when it is told to. Whatever happens to
/// it or to the network, nothing is lost and nothing is done twice: all that it has to remember
/// stands in the store.
///
/// One engine at a time may run on a store, in the process that has it open for writing. Every
/// method may be called from any task and any thread.
public final class SyncEngine: Sendable {
    /// Gives the token to make requests with.
    ///
    /// It is called when an engine begins and when the server refuses a token, one call at a time;
    /// `rejected` is the token that was refused. `nil` means that there is none and somebody has to
    /// sign in; what it throws counts as that too.
    public typealias TokenProvider = @Sendable (_ rejected: String?) async throws -> String?

    let core: EngineCore

    /// The store.
    public var store: Store { core.store }
    /// The sizes and times.
    public var configuration: SyncConfiguration { core.configuration }

    /// An engine that does nothing until ``start()``.
    ///
    /// - Parameters:
    ///   - store: The store, open for writing, with a schema that has synced tables.
    ///   - transport: How the server is reached.
    ///   - configuration: The sizes and times.
    ///   - account: The account, under a name that stays the same: a store belongs to the first one
    ///     that it was synced for, and is never synced for another.
    ///   - token: Gives the token to make requests with; without it none is sent.
    ///   - clock: What it waits by.
    /// - Throws: ``SyncError`` `.unsupported` when the transport cannot carry what the schema needs.
    public convenience init(
        store: Store,
        transport: any SyncTransport,
        configuration: SyncConfiguration = SyncConfiguration(),
        account: String? = nil,
        token: TokenProvider? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) throws {
        try self.init(
            store: store,
            transport: transport,
            configuration: configuration,
            account: account,
            token: token,
            clock: clock,
            environment: .system
        )
    }

    /// An engine with its own randomness and names.
    package init(
        store: Store,
        transport: any SyncTransport,
        configuration: SyncConfiguration = SyncConfiguration(),
        account: String? = nil,
        token: TokenProvider? = nil,
        clock: any Clock<Duration>,
        environment: SyncEnvironment
    ) throws {
        try store.schema?.requireCapabilities(of: transport)
        core = EngineCore(
            store: store,
            transport: transport,
            configuration: configuration,
            account: account,
            token: token,
            clock: EngineClock(clock),
            environment: environment
        )
    }

    deinit { _ = core.end() }

    /// Begins to sync, and goes on until ``stop()`` or the engine is given up.
    ///
    /// One that runs already just goes on.
    public func start() { core.start() }

    /// Ends syncing, and returns when nothing is under way any more.
    ///
    /// What was not sent is sent after the next ``start()``.
    public func stop() async {
        for task in core.end() { await task.value }
    }

    /// Tells that something happened, such as the app's coming to the foreground.
    ///
    /// It is safe at any time, and cheap.
    ///
    /// - Parameter trigger: What happened.
    public func notify(_ trigger: SyncTrigger) { core.post(.trigger(trigger)) }

    // MARK: Status

    /// How far the store and the server are apart, as of now.
    ///
    /// - Complexity: O(log n).
    public var status: SyncStatus { core.status }

    /// What keeps the engine from running at all, such as a store that was closed; `nil` while it
    /// runs or has not been started.
    public var failure: (any Error)? { core.failure }

    /// The status as of now, and each that differs in more than its times; one that is not taken is
    /// replaced by the next.
    public func statuses() -> AsyncStream<SyncStatus> { core.statuses() }

    // MARK: Waiting

    /// Sends what is due, receives what is new, and sends what came of that.
    ///
    /// Calls that overlap join: the server is asked once for all of them.
    ///
    /// - Returns: The status when nothing is under way any more: synced, or what it waits for.
    /// - Throws: `CancellationError`, which ends the waiting alone; ``SyncError`` `.notRunning`; or
    ///   `StoreError`.
    @discardableResult
    public func sync() async throws -> SyncStatus { try await wait(for: .rest) }

    /// Waits until the server has confirmed everything that was committed here, and everything that
    /// it had was received.
    ///
    /// Without a network it waits for one.
    ///
    /// - Throws: ``SyncError`` `.paused` or `.needsAttention` when that takes somebody, who has to
    ///   sign in or decide; `.notRunning`; `CancellationError`; or `StoreError`.
    public func waitForSync() async throws { _ = try await wait(for: .confirmation) }

    private func wait(for goal: EngineWaiter.Goal) async throws -> SyncStatus {
        let (core, number) = (core, core.nextNumber())
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let waiter = EngineWaiter(number: number, goal: goal, continuation: continuation)
                if !core.post(.wait(waiter)) {
                    continuation.resume(throwing: core.failure ?? SyncError.notRunning)
                }
            }
        } onCancel: {
            core.post(.cancel(number))
        }
    }

    /// Does something on the machine, between two events.
    func call<Result: Sendable>(
        _ body: @escaping @Sendable (SyncMachine) async throws -> Result
    ) async throws -> Result {
        let core = core
        return try await withCheckedThrowingContinuation { continuation in
            let call = EngineCall {
                do {
                    continuation.resume(returning: try await body($0))
                } catch {
                    continuation.resume(throwing: error)
                }
            } fail: {
                continuation.resume(throwing: $0)
            }
            if !core.post(.call(call)) {
                continuation.resume(throwing: core.failure ?? SyncError.notRunning)
            }
        }
    }
}
