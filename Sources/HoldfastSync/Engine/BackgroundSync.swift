import Holdfast

/// Syncing while the app is not in the foreground: everything is opened fresh and closed at the end.
///
/// It is a bonus: what an app shows in the foreground is synced without it.
public enum BackgroundSync {
    /// Opens a store, syncs, and closes everything, within a time.
    ///
    /// ```swift
    /// try await BackgroundSync.run(deadline: .seconds(25)) {
    ///     let store = try await Store.open(at: path, schema: schema)
    ///     return try SyncEngine(store: store, transport: transport)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - deadline: How long opening and syncing may take; what is not done then is done the next time.
    ///   - clock: What the time is taken by.
    ///   - open: Opens the store and makes an engine, which is not started.
    /// - Returns: The status at the end.
    /// - Throws: What `open` throws, such as `StoreError` `.locked` while the app has the store
    ///   open; `CancellationError`; or `StoreError`. The store is closed in any case.
    @discardableResult
    public static func run(
        deadline: Duration,
        clock: any Clock<Duration> = ContinuousClock(),
        _ open: () async throws -> SyncEngine
    ) async throws -> SyncStatus {
        let clock = EngineClock(clock)
        let engine = try await open()
        engine.start()
        let result: Result<SyncStatus, any Error>
        do {
            result = .success(try await sync(engine, within: deadline, by: clock))
        } catch {
            result = .failure(error)
        }
        await engine.stop()
        try await engine.store.close()
        return try result.get()
    }

    private static func sync(
        _ engine: SyncEngine,
        within deadline: Duration,
        by clock: EngineClock
    ) async throws -> SyncStatus {
        try await withThrowingTaskGroup(of: SyncStatus.self) { group in
            group.addTask { try await engine.sync() }
            group.addTask {
                try await clock.sleep(until: deadline)
                return engine.status
            }
            defer { group.cancelAll() }
            return try await group.next() ?? engine.status
        }
    }
}
