import Holdfast

extension SyncMachine {
    /// Brings an answer to the lane that waits for it; one that nobody waits for any more is
    /// dropped.
    func answered(
        _ number: RequestNumber,
        _ result: Result<SyncAnswer, TransportFailure>
    ) async throws {
        if case .probing(let expected, _) = connection, expected == number {
            connection = .unknown
            try await probed(result)
        } else if let flight = push.flight, flight.number == number {
            push.flight = nil
            try await pushed(flight, result)
        } else if let flight = pull.flight, flight.number == number {
            pull.flight = nil
            try await pulled(flight, result)
        }
    }

    private func probed(_ result: Result<SyncAnswer, TransportFailure>) async throws {
        switch result {
        case .success(.hello(let hello)):
            guard try await belongs(hello.dataset, hello.epoch, isGreeting: true) else { return }
            reached()
            guard hello.protocols.contains(1) else { return pause(for: .upgrade) }
            if let schemas = hello.schemas, let version = store.schema?.version,
                !schemas.contains(version)
            {
                return pause(for: .upgrade)
            }
            connection = .known(hello)
            succeed(.hello)
            push.restoreLimits(hello)
            if push.serverErrors >= configuration.loopLimit { push.limit = 1 }
            try await follow(hello.scopes)
        case .success:
            networkRetryAt = fail(.hello, TransportFailure(.invalid), of: &network)
        case .failure(let failure):
            if !failed(failure, of: .hello) {
                networkRetryAt = fail(.hello, failure, of: &network)
            }
        }
    }

    /// The server answered as the protocol says.
    func reached() {
        network.succeed()
        networkRetryAt = nil
        lastSuccess = now
        lastFailure = nil
        isStalled = false
        switch pause {
        case .offline, .unreachable: pause = nil
        default: break
        }
    }

    /// Whether an answer comes from the dataset that the store belongs to.
    ///
    /// The first one that answers is it. A new history of the same dataset means that the server
    /// was restored from a backup: everything is compared with it anew. A greeting alone begins it:
    /// any other answer may have been on its way since before, and would lead back.
    func belongs(
        _ dataset: DatasetID,
        _ epoch: EpochID,
        isGreeting: Bool = false
    ) async throws -> Bool {
        guard let known = client.dataset else {
            client.dataset = dataset
            client.epoch = epoch
            try await save(client)
            return true
        }
        guard known == dataset else {
            pause(for: .dataset(dataset))
            return false
        }
        if client.epoch == epoch { return true }
        guard isGreeting else {
            connection = .unknown
            networkRetryAt = now + network.fail(retryAfter: nil, random: environment.random())
            return false
        }
        try await beginHistory(epoch)
        return true
    }

    /// What every lane does about a request that failed as a whole.
    ///
    /// - Returns: Whether that is all: otherwise it is the request's own fault.
    @discardableResult
    func failed(_ failure: TransportFailure, of kind: LoopCounter.Kind) -> Bool {
        lastFailure = failure
        switch failure.kind {
        case .unreachable, .timedOut, .foreign:
            connection = .unknown
            networkRetryAt =
                now + network.fail(retryAfter: failure.retryAfter, random: environment.random())
            if configuration.faults.contains(.noBackoff) { networkRetryAt = now }
            if pause == nil || pause == .offline { pause = .unreachable }
        case .refused(401): refuseCredentials(kind)
        case .refused(402), .refused(507):
            pause(for: .quota)
            networkRetryAt =
                now + max(failure.retryAfter ?? .zero, configuration.backoffCap)
        case .refused(403) where failure.problem?.type != ProblemType.scopeRevoked:
            pause(for: .forbidden)
        case .refused(404): pause(for: .misconfigured)
        case .refused(415), .refused(426): pause(for: .upgrade)
        case .refused(409) where failure.isOfAnotherHistory:
            // Who it is now is asked: another dataset halts, another epoch begins a new history. The
            // known ones, again and again, are an answer against the protocol.
            connection = .unknown
            loops.historyRefusals[kind, default: 0] += 1
            if loops.historyRefusals[kind, default: 0] >= configuration.loopLimit {
                loops.invalidAnswers[kind] = configuration.loopLimit
                pause = .invalidAnswers
                return false
            }
            networkRetryAt = now + network.fail(retryAfter: nil, random: environment.random())
        default: return false
        }
        return true
    }

    /// Asks for fresh credentials once, and stops when those are refused too.
    ///
    /// Another kind of request may be let through all the while: it says nothing about this one.
    private func refuseCredentials(_ kind: LoopCounter.Kind) {
        guard !loops.refused.contains(kind), credentials.isUsable else {
            if case .refreshing = credentials { return }
            credentials = .refused(credentials.current)
            return pause(for: .auth)
        }
        loops.refused.insert(kind)
        credentials = .refreshing(credentials.current)
    }

    /// Takes fresh credentials.
    func receive(_ fresh: SyncCredentials?) {
        guard let fresh else {
            credentials = .refused(credentials.current)
            return pause(for: .auth)
        }
        credentials = .known(fresh)
        if pause == .auth { pause = nil }
        push.want(at: now)
        pull.want(at: now)
    }

    /// One lane's request failed for a reason of its own: it waits, the other goes on.
    func fail(
        _ kind: LoopCounter.Kind,
        _ failure: TransportFailure,
        of backoff: inout Backoff
    ) -> Duration {
        lastFailure = failure
        if failure.kind == .invalid {
            loops.invalidAnswers[kind, default: 0] += 1
            if loops.invalidAnswers[kind, default: 0] >= configuration.loopLimit {
                pause = .invalidAnswers
            }
        }
        let delay = backoff.fail(retryAfter: failure.retryAfter, random: environment.random())
        return now + (configuration.faults.contains(.noBackoff) ? .zero : delay)
    }

    /// A kind of request was answered as the protocol says.
    func succeed(_ kind: LoopCounter.Kind) {
        loops.refused.remove(kind)
        loops.invalidAnswers[kind] = nil
        loops.historyRefusals[kind] = nil
        let isWell = loops.invalidAnswers.values.allSatisfy { $0 < configuration.loopLimit }
        if pause == .invalidAnswers, isWell { pause = nil }
    }

    /// Stores the client's state.
    func save(_ client: ClientState) async throws {
        try await store.writeUnrecorded(.synced) { try $0.set(client) }
    }
}

extension TransportFailure {
    /// Whether the server says that it has another dataset, or another history of it.
    fileprivate var isOfAnotherHistory: Bool {
        problem?.type == ProblemType.datasetChanged || problem?.type == ProblemType.epochChanged
    }
}
