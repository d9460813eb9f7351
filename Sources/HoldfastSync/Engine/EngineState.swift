/// What an engine shows to other threads, and how they reach its loop.
struct EngineState: Sendable {
    /// The way to the loop; `nil` when none runs.
    var mailbox: AsyncStream<EngineMessage>.Continuation?
    /// The loop and what feeds it.
    var tasks: [Task<Void, Never>] = []
    /// Triggers that the loop has not seen yet: each need be told once.
    var triggers: Set<SyncTrigger> = []
    /// What the machine does, as of its last step.
    var activity: SyncActivity?
    /// What requests are made with.
    var credentials = SyncCredentials()
    /// What keeps the loop from going on.
    var failure: (any Error)?
    /// The last number of a waiter or an observer.
    var lastNumber = 0
    /// Who is told of each status, and which one was the last.
    var observers: [Int: (stream: AsyncStream<SyncStatus>.Continuation, shown: SyncStatus)] = [:]
}
