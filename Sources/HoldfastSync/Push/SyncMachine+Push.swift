import Holdfast

extension SyncMachine {
    /// Freezes what is due and sends it.
    ///
    /// - Returns: Whether a request was sent.
    func startPush() async throws -> Bool {
        push.wantedAt = nil
        if isRestoring { return false }
        guard let dataset = client.dataset, try store.read({ try $0.pendingCount() }) > 0 else {
            return false
        }
        let batch = try await freeze()
        if batch.isEmpty {
            push.wantedAt = push.delays.next(after: now)
            return false
        }
        client = batch.state
        for mutation in batch.frozen { outstanding.add(mutation) }
        let request = PushRequest(
            client: batch.client,
            dataset: dataset,
            epoch: client.epoch,
            acknowledgedThrough: outstanding.finishedThrough(
                of: batch.client,
                next: batch.client == client.client ? client.nextSequence : 1
            ),
            operations: batch.operations
        )
        push.flight = PushLane.Flight(number: send(.push(request)), since: now, batch: batch)
        return true
    }

    private func freeze() async throws -> PushBatch {
        let durability: Durability =
            configuration.faults.contains(.freezeNotDurable) ? .buffered : .synced
        let (lane, client, tables, configuration, now) = (
            push, client, tables, configuration, now
        )
        return try await store.writeUnrecorded(durability) { transaction in
            var selection = BatchSelection(
                lane,
                client: client,
                tables: tables,
                configuration: configuration,
                at: now
            )
            return try selection.run(&transaction)
        }
    }

    /// What a push came to.
    func pushed(
        _ flight: PushLane.Flight,
        _ result: Result<SyncAnswer, TransportFailure>
    ) async throws {
        switch result {
        case .success(.push(let response)):
            push.want(at: now)
            // What a new history says of old versions is asked once more when both are compared.
            guard try await belongs(response.dataset, response.epoch) else { return }
            try await apply(response, to: flight.batch)
        case .success:
            push.retryAt = fail(.push, TransportFailure(.invalid), of: &push.backoff)
            push.want(at: now)
        case .failure(let failure):
            push.want(at: now)
            if failure.kind == .timedOut { push.slowness.timedOut() }
            if configuration.faults.contains(.retriesCountedPerMutation) {
                try await countRetry(flight.batch)
            }
            if !failed(failure, of: .push) { try await failed(failure, flight.batch) }
        }
    }

    private func apply(_ response: PushResponse, to batch: PushBatch) async throws {
        let answer = PushAnswer(
            batch: batch,
            response: response,
            settling: settling,
            hasPulled: pull.hasReachedEnd,
            followsSeveral: pull.scopes.count > 1
        )
        let outcome = try await store.writeUnrecorded(.synced) { transaction in
            var answer = answer
            return try answer.apply(to: &transaction)
        }
        for mutation in outcome.finished { outstanding.remove(mutation) }
        for mutation in outcome.acknowledged { outstanding.add(mutation) }
        for record in outcome.settled { push.delays.end(record) }
        // What was acknowledged is confirmed by a pull.
        pull.lookAgain(for: outcome.gone, at: now)
        if outcome.mayBeAnywhere {
            pull.want(at: now)
        } else if !outcome.scopes.isEmpty {
            pull.want(outcome.scopes, at: now)
        }
        if outcome.hasExpired { try await renewClient() }
        if outcome.needsUpgrade { return pause(for: .upgrade) }
        putOff(outcome)
        if outcome.unanswered > 0 {
            push.retryAt = fail(.push, TransportFailure(.invalid), of: &push.backoff)
        } else {
            reached()
            push.backoff.succeed()
            push.serverErrors = 0
            succeed(.push)
            push.slowness.wentWell()
            push.grow(connection.hello)
        }
        push.want(at: now)
    }

    private func putOff(_ outcome: PushAnswer.Outcome) {
        for (member, _) in outcome.deferred {
            push.delays.delay(
                member.record,
                group: member.group,
                from: now,
                retryAfter: nil,
                configuration,
                random: environment.random()
            )
        }
        for (member, count) in outcome.conflicts where count > SyncRules.patience {
            push.delays.delay(
                member.record,
                group: member.group,
                from: now,
                configuration,
                random: environment.random()
            )
        }
        if outcome.isOverQuota {
            pause = .quota
            push.retryAt = now + configuration.backoffCap
        } else if pause == .quota {
            pause = nil
        }
        // What lacks a parent may find it after a pull.
        if !outcome.deferred.isEmpty { pull.want(at: now) }
    }

    /// What to do about a batch that the server refused as a whole.
    private func failed(_ failure: TransportFailure, _ batch: PushBatch) async throws {
        switch failure.kind {
        case .refused(400), .refused(422):
            try await divide(batch, failure)
        case .refused(413):
            push.byteLimit = max(1, push.byteLimit / 2)
            try await divide(batch, failure)
        case .refused(let status) where status >= 500 && connection.hello != nil:
            push.serverErrors += 1
            if push.serverErrors >= configuration.loopLimit {
                isolate(batch, failure)
            } else {
                push.retryAt = fail(.push, failure, of: &push.backoff)
            }
        default:
            push.retryAt = fail(.push, failure, of: &push.backoff)
        }
    }

    /// Sends half as much, to find the one that the server cannot take; that one needs attention
    /// alone.
    private func divide(_ batch: PushBatch, _ failure: TransportFailure) async throws {
        lastFailure = failure
        guard batch.isSingle else {
            push.limit = max(1, batch.members.count / 2)
            return
        }
        let problem =
            failure.problem
            ?? SyncProblem(
                type: failure.kind == .refused(status: 413)
                    ? ProblemType.tooLarge : ProblemType.invalid,
                detail: "The server does not take this change. Edit or discard it."
            )
        let settling = settling
        let finished = try await store.writeUnrecorded(.synced) { transaction in
            try settling.giveUp(batch, problem, &transaction)
        }
        for mutation in finished { outstanding.remove(mutation) }
        push.restoreLimits(connection.hello)
    }

    /// A request that the server fails at again and again while it is there: one mutation or group
    /// at a time, and whichever fails waits by itself.
    private func isolate(_ batch: PushBatch, _ failure: TransportFailure) {
        lastFailure = failure
        // Only while the server answers otherwise is it the request's fault.
        connection = .unknown
        guard batch.isSingle else { return }
        // One that fails keeps nothing else back. One after the other is the server's fault after
        // all, and is not met with a request for each that waits.
        if push.serverErrors > configuration.loopLimit + 1 {
            push.retryAt = fail(.push, failure, of: &push.backoff)
        }
        for member in batch.members {
            push.delays.delay(
                member.record,
                group: member.group,
                from: now,
                retryAfter: failure.retryAfter,
                configuration,
                random: environment.random()
            )
        }
    }

    /// A mistake that is made on purpose: whatever keeps a request from its answer counts against
    /// its mutations.
    private func countRetry(_ batch: PushBatch) async throws {
        push.countedRetries += 1
        guard push.countedRetries >= configuration.loopLimit else { return }
        push.countedRetries = 0
        let problem = SyncProblem(type: ProblemType.invalid, detail: "It was tried too often.")
        let settling = settling
        let finished = try await store.writeUnrecorded(.synced) { transaction in
            try settling.giveUp(batch, problem, &transaction)
        }
        for mutation in finished { outstanding.remove(mutation) }
    }

    var settling: Settling {
        Settling(tables: tables, configuration: configuration, environment: environment)
    }
}
