public import Holdfast
import Synchronization

/// An app at work on a store whose crashes are tried: its store, its time, and what it promises.
public final class CrashSession: Sendable {
    private struct State {
        var store: Store
        var scheduler: HeldScheduler
        var sessions: UInt64 = 1
    }

    private let check: CrashCheck
    private let disk: SimulatedDisk
    private let state: Mutex<State>
    let log: CommitLog

    init(_ check: CrashCheck, _ disk: SimulatedDisk) async throws {
        self.check = check
        self.disk = disk
        disk.startRecording(images: true)
        let app = CrashedApp(seed: check.seed &+ 1 << 32)
        let storage = try await app.open(disk)
        log = CommitLog(try Observation(of: storage), disk)
        let store = try await Self.open(storage, check, log)
        state = Mutex(State(store: store, scheduler: app.scheduler))
    }

    private static func open(
        _ storage: any Storage,
        _ check: CrashCheck,
        _ log: CommitLog
    ) async throws -> Store {
        try await Store(
            storage: WatchedStorage(over: storage, log),
            schema: check.schema
        )
    }

    /// The open store; another one after ``reopen()``.
    public var store: Store { state.withLock { $0.store } }

    /// Lets time pass: the engine's background work that falls due runs.
    ///
    /// It does so at no other moment: a `.buffered` transaction is synced a second later, and not
    /// without that second.
    public func wait(_ time: Duration) async {
        await state.withLock { $0.scheduler }.run(for: time)
        if time >= .seconds(1) { log.settle() }
    }

    /// Closes the store and opens it again, as an app does that is quit and started.
    ///
    /// - Throws: `StoreError`.
    public func reopen() async throws {
        try await end()
        let number = state.withLock { state in
            state.sessions += 1
            return state.sessions
        }
        let app = CrashedApp(seed: check.seed &+ number << 32)
        let store = try await Self.open(app.open(disk), check, log)
        state.withLock { state in
            state.store = store
            state.scheduler = app.scheduler
        }
    }

    /// From now on `check` has to pass after any crash, as when the app has shown "saved".
    ///
    /// - Parameters:
    ///   - name: The promise, for the message; one of the same name is replaced.
    ///   - check: Throws what is wrong with the store.
    public func promise(_ name: String, _ check: @escaping CrashCheck.Check) {
        log.promise(name, check)
    }

    /// Takes a promise back, before what it says is changed.
    public func withdraw(_ name: String) { log.promise(name, nil) }

    /// Closes the store, which makes all of it durable.
    func end() async throws {
        try await store.close()
        log.settle()
    }
}
