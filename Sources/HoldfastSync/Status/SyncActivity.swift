/// What an engine is doing: the part of its status that is not in the store.
package struct SyncActivity: Hashable, Sendable {
    /// What it does just now.
    package var phase = SyncStatus.Phase.idle
    /// Why it does not go on by itself.
    package var pause: PauseReason?
    /// When it tries again, on the engine's clock.
    package var nextAttempt: Duration?
    /// When the server last answered, on the engine's clock.
    package var lastSuccess: Duration?
    /// What became of the last request that failed, until one succeeds.
    package var lastFailure: TransportFailure?
    /// Whether a request passed its deadline and none was answered since.
    package var isStalled = false
    /// Whether all histories were read to their end since the engine began.
    package var hasReachedEnd = false

    package init() {}
}
