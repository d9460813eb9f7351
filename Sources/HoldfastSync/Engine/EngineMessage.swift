/// What an engine's loop is told.
enum EngineMessage: Sendable {
    /// Something happened that a machine of this number asked for.
    case event(SyncMachine.Event, machine: Int)
    /// Somebody asks it to look.
    case trigger(SyncTrigger)
    /// Somebody waits.
    case wait(EngineWaiter)
    /// Somebody waits no longer.
    case cancel(Int)
    /// Something is to be done between two events.
    case call(EngineCall)
}

/// Work on an engine's machine, between two events.
struct EngineCall: Sendable {
    /// Does it and tells whoever asked.
    let run: @Sendable (SyncMachine) async -> Void
    /// Tells whoever asked that it will not be done.
    let fail: @Sendable (any Error) -> Void
}

/// Somebody who waits for an engine.
struct EngineWaiter: Sendable {
    /// What for.
    enum Goal: Sendable {
        /// Everything that was due has been done, or waits for something else than an answer.
        case rest
        /// Everything that was committed here is confirmed.
        case confirmation
    }

    let number: Int
    let goal: Goal
    let continuation: CheckedContinuation<SyncStatus, any Error>
}
