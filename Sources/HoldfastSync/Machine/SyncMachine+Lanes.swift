import Holdfast

extension SyncMachine {
    /// Starts what is due and says when to come back.
    func advance() async throws {
        try await expireRequests()
        // Handling one thing may make another due; each turn sends a request or ends.
        while try await startNext() {}
        step.wantsCredentials = wantsCredentials
        step.wakeAt = nextWake
    }

    private var wantsCredentials: Bool {
        if case .refreshing = credentials { true } else { false }
    }

    /// Whether requests may be sent at all.
    var isRunning: Bool {
        guard !client.isSealed, credentials.isUsable else { return false }
        switch pause {
        case nil, .offline, .unreachable, .quota, .massDelete, .invalidAnswers: return true
        case .auth, .upgrade, .dataset, .signedOut, .forbidden, .misconfigured: return false
        }
    }

    private func startNext() async throws -> Bool {
        guard isRunning, isDue(networkRetryAt) else { return false }
        switch connection {
        case .probing: return false
        case .unknown:
            guard push.wantedAt.map(isDue) == true || pull.wantedAt.map(isDue) == true else {
                return false
            }
            connection = .probing(send(.hello), since: now)
            return false
        case .known:
            if let time = pullDueAt, time <= now {
                if try await startPull() { return true }
            }
            if let time = push.dueAt(after: networkRetryAt), time <= now {
                return try await startPush()
            }
            return false
        }
    }

    private func isDue(_ time: Duration?) -> Bool { time.map { $0 <= now } ?? true }

    private var pullDueAt: Duration? {
        let waits = configuration.faults.contains(.pullWaitsForPush) && push.backoff.failures > 0
        return waits ? nil : pull.dueAt(after: networkRetryAt)
    }

    private var nextWake: Duration? {
        guard !client.isSealed else { return nil }
        if configuration.faults.contains(.retryOnTriggersAlone), networkRetryAt != nil {
            return nil
        }
        var time = deadline
        if isRunning {
            switch connection {
            case .probing: break
            case .unknown:
                let wanted = Self.earlier(push.wantedAt, pull.wantedAt)
                time = Self.earlier(time, wanted.map { max($0, networkRetryAt ?? $0) })
            case .known:
                time = Self.earlier(time, push.dueAt(after: networkRetryAt))
                time = Self.earlier(time, pullDueAt)
                if push.flight == nil { time = Self.earlier(time, push.delays.next(after: now)) }
            }
        } else if isRetriedByTheClock {
            time = Self.earlier(time, pausedUntil)
        }
        return time.map { max($0, now) }
    }

    private static func earlier(_ first: Duration?, _ second: Duration?) -> Duration? {
        guard let first, let second else { return first ?? second }
        return min(first, second)
    }

    /// The first deadline of a request.
    private var deadline: Duration? {
        var since = Self.earlier(push.flight?.since, pull.flight?.since)
        if case .probing(_, let time) = connection { since = Self.earlier(since, time) }
        return since.map { $0 + configuration.deadline }
    }

    /// Gives up requests whose time is over: an answer that comes after all is for nobody.
    private func expireRequests() async throws {
        let limit = now - configuration.deadline
        if case .probing(let number, let since) = connection, since <= limit {
            isStalled = true
            try await answered(number, .failure(TransportFailure(.timedOut)))
        }
        if let flight = push.flight, flight.since <= limit {
            isStalled = true
            try await answered(flight.number, .failure(TransportFailure(.timedOut)))
        }
        if let flight = pull.flight, flight.since <= limit {
            isStalled = true
            try await answered(flight.number, .failure(TransportFailure(.timedOut)))
        }
        resumeByTheClock()
    }

    /// Whether the cause of a pause may end without anybody's doing, so that it is looked at again
    /// now and then.
    private var isRetriedByTheClock: Bool {
        switch pause {
        case .upgrade, .forbidden, .misconfigured: true
        default: false
        }
    }

    private func resumeByTheClock() {
        guard isRetriedByTheClock, let time = pausedUntil, time <= now else { return }
        pause = nil
        pausedUntil = nil
        push.want(at: now)
        pull.want(at: now)
    }

    /// Stops, and looks again after the greatest delay where the cause may end by itself.
    func pause(for reason: PauseReason) {
        pause = reason
        pausedUntil = now + configuration.backoffCap
    }
}
