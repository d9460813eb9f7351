import Holdfast

extension SyncMachine {
    /// What it is doing.
    package var activity: SyncActivity {
        var activity = SyncActivity()
        activity.phase = phase
        activity.pause = currentPause
        activity.nextAttempt = step.wakeAt
        activity.lastSuccess = lastSuccess
        activity.lastFailure = lastFailure
        activity.isStalled = isStalled
        activity.hasReachedEnd = pull.hasReachedEnd
        return activity
    }

    /// Whether nothing is under way and nothing waits for anything but the time of the next look.
    package var isIdle: Bool {
        if case .probing = connection { return false }
        return push.flight == nil && pull.flight == nil && push.wantedAt == nil && pull.round == nil
    }

    private var currentPause: PauseReason? {
        if client.isSealed { return .signedOut }
        let stopped = pull.stopped.values.min { $0.scope.text < $1.scope.text }
        return pause ?? stopped.map { .massDelete($0) }
    }

    private var phase: SyncStatus.Phase {
        if case .probing = connection { return .connecting }
        if let flight = pull.flight { return flight.isSnapshot ? .reading : .receiving }
        return push.flight == nil ? .idle : .sending
    }
}
