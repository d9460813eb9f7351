import Holdfast

extension SyncMachine {
    /// Follows the scopes that the principal sees and the app chose, and lets go of the others.
    func follow(_ visible: [ScopeName]) async throws {
        let stored = try store.read { try $0.scopeStates() }
        let following = Following(
            visible: visible,
            chosen: configuration.scopes,
            stored: stored,
            restored: try restored(among: Set(visible).subtracting(stored.keys))
        )
        if !following.changed.isEmpty {
            var renewed = client
            // The marks of what was read before must not be taken for this reading's.
            renewed.generation += 1
            let (changed, generation) = (following.changed, renewed.generation)
            let state = renewed
            try await store.writeUnrecorded { transaction in
                try transaction.set(state)
                for (scope, var state) in changed {
                    state.snapshot?.generation = generation
                    try transaction.set(state, of: scope)
                }
            }
            client = renewed
        }
        if !following.wanted.subtracting(pull.scopes).isEmpty { pull.want(at: now) }
        pull.scopes = following.wanted
        pull.stopped = pull.stopped.filter { following.wanted.contains($0.key) }
        try await removeUnfollowed()
        try updateRestoring()
    }

    /// Of a server that was restored: when its history began, and the scopes among new ones of which
    /// there are records that were not compared with it.
    ///
    /// - Complexity: O(records) where there are new scopes.
    private func restored(among new: Set<ScopeName>) throws -> Following.Restored? {
        guard let since = client.restoredSince else { return nil }
        var scopes: Set<ScopeName> = []
        if new.isEmpty { return Following.Restored(since: since, scopes: scopes) }
        try store.read { transaction in
            try transaction.scanSystem(SyncKey.all(.record)) { _, value in
                let state = try SyncRecord(value)
                if let scope = state.scope, new.contains(scope), state.mark < since {
                    scopes.insert(scope)
                }
                return true
            }
        }
        return Following.Restored(since: since, scopes: scopes)
    }

    /// Asks for what comes next.
    ///
    /// - Returns: Whether something was done.
    func startPull() async throws -> Bool {
        // What is acknowledged by now stands in the histories that are read from here on, unless
        // the server has forgotten it since, as it does with deletions: a whole round confirms it
        // in any case.
        pull.beginRound(at: now, awaited: outstanding.acknowledged)
        guard let scope = pull.waiting.min(by: { $0.text < $1.text }) else {
            return try await finishRound()
        }
        let state = try store.read { try $0.scopeState(scope) } ?? ScopeState()
        if let snapshot = state.snapshot, snapshot.isComplete {
            try await sweep(scope)
            return true
        }
        let limit = pull.slowness.reduced(
            min(configuration.pageLimit, connection.hello?.maximumPage ?? .max)
        )
        let request = self.request(for: scope, state, limit)
        pull.flight = PullLane.Flight(
            number: send(request),
            since: now,
            scope: scope,
            cursor: state.snapshot == nil ? state.cursor : state.snapshot?.after,
            isSnapshot: state.snapshot != nil,
            limit: limit
        )
        return true
    }

    private func request(for scope: ScopeName, _ state: ScopeState, _ limit: Int) -> SyncRequest {
        if let snapshot = state.snapshot {
            return .snapshot(
                SnapshotRequest(
                    client: client.client,
                    dataset: client.dataset,
                    scope: scope,
                    after: snapshot.after,
                    limit: limit,
                    tables: configuration.tables
                )
            )
        }
        return .changes(
            ChangesRequest(
                client: client.client,
                dataset: client.dataset,
                scope: scope,
                cursor: state.cursor,
                limit: limit,
                tables: configuration.tables
            )
        )
    }

    /// What a pull came to.
    func pulled(
        _ flight: PullLane.Flight,
        _ result: Result<SyncAnswer, TransportFailure>
    ) async throws {
        switch result {
        case .success: pull.slowness.wentWell()
        case .failure(let failure): if failure.kind == .timedOut { pull.slowness.timedOut() }
        }
        switch result {
        case .success(.changes(let page)) where !flight.isSnapshot:
            try await apply(page, flight)
        case .success(.snapshot(let page)) where flight.isSnapshot:
            try await apply(page, flight)
        case .success:
            refuse(flight)
        case .failure(let failure):
            try await failed(failure, flight)
        }
    }

    private func failed(_ failure: TransportFailure, _ flight: PullLane.Flight) async throws {
        if failed(failure, of: .pull) { return }
        switch failure.kind {
        case .refused(410):
            reached()
            try await takeSnapshot(of: flight.scope, isRestored: false)
        case .refused(403):
            reached()
            // The scope is another principal's now; who sees what is asked anew.
            connection = .unknown
            pull.retryAt = fail(.pull, failure, of: &pull.backoff)
            let left = try store.read { try $0.scopeStates() }.filter(\.value.isLeft)
            try await follow(pull.scopes.union(left.keys).filter { $0 != flight.scope })
        default:
            pull.retryAt = fail(.pull, failure, of: &pull.backoff)
            pull.passOver(flight.scope)
        }
    }

    /// An answer against the protocol: nothing of it is taken.
    func refuse(_ flight: PullLane.Flight) {
        pull.retryAt = fail(.pull, TransportFailure(.invalid), of: &pull.backoff)
        pull.passOver(flight.scope)
    }

    private func apply(_ page: ChangesPage, _ flight: PullLane.Flight) async throws {
        guard try await belongs(page.dataset, page.epoch) else { return }
        guard isValid(page, flight) else { return refuse(flight) }
        guard try await isCurrent(flight) else { return }
        if configuration.faults.contains(.cursorBeforePage) {
            try await store.writeUnrecorded(.synced) { transaction in
                var state = try transaction.scopeState(flight.scope) ?? ScopeState()
                state.cursor = page.cursor
                try transaction.set(state, of: flight.scope)
            }
        }
        // A page that says nothing, and leads nowhere, changes nothing.
        if page.changes.isEmpty, page.cursor == flight.cursor {
            answered(PageApplication.Outcome(), leadsOn: page.hasMore, flight)
        } else if try await !take(page, flight) {
            return
        }
        if !page.hasMore {
            pull.finished.insert(flight.scope)
            loops.resyncs[flight.scope] = nil
        }
        try await followIfChanged(page.scopes)
    }

    /// Brings a page into the store.
    ///
    /// - Returns: Whether it was taken; otherwise it would have removed too much.
    private func take(_ page: ChangesPage, _ flight: PullLane.Flight) async throws -> Bool {
        let application = PageApplication(
            settling: settling,
            scope: flight.scope,
            outstanding: outstanding,
            // What is not compared yet may be moved here by somebody who has not seen it.
            restored: client.lost.isEmpty ? nil : client.restoredSince.map { ($0, client.lost) }
        )
        do {
            let outcome = try await store.writeUnrecorded(application.durability(of: page)) {
                try application.apply(page, to: &$0)
            }
            answered(outcome, leadsOn: page.hasMore, flight)
            return true
        } catch let stop as MassDeleteStop {
            self.stop(stop.removals)
            return false
        }
    }

    func followIfChanged(_ scopes: [ScopeName]) async throws {
        var wanted = Set(scopes)
        if let chosen = configuration.scopes { wanted.formIntersection(chosen) }
        if wanted != pull.scopes { try await follow(scopes) }
    }

    /// Whether the store still stands where the request was made.
    func isCurrent(_ flight: PullLane.Flight) async throws -> Bool {
        let state = try store.read { try $0.scopeState(flight.scope) } ?? ScopeState()
        if flight.isSnapshot {
            return state.snapshot.map { $0.after == flight.cursor && !$0.isComplete } ?? false
        }
        return state.snapshot == nil && state.cursor == flight.cursor
    }

    private func isValid(_ page: ChangesPage, _ flight: PullLane.Flight) -> Bool {
        guard page.changes.count <= flight.limit else { return false }
        if page.hasMore, page.cursor == flight.cursor { return false }
        return page.changes.allSatisfy { $0.scope == flight.scope && $0.isComplete }
    }

    private static let emptyPageLimit = 100

    /// A page has been taken.
    ///
    /// A server may have to pass over what this client does not follow or knows already. Where that
    /// does not end, it is asked less and less often.
    ///
    /// - Parameters:
    ///   - outcome: What it came to.
    ///   - leadsOn: Whether the page says that there are more.
    ///   - flight: The request.
    func answered(
        _ outcome: PageApplication.Outcome,
        leadsOn: Bool,
        _ flight: PullLane.Flight
    ) {
        for mutation in outcome.confirmed { outstanding.remove(mutation) }
        for mutation in outcome.acknowledged { outstanding.add(mutation) }
        if outcome.hasMutations { push.want(at: now) }
        pull.lookAgain(for: outcome.gone, at: now)
        pull.emptyPages = leadsOn && !outcome.hasNews ? pull.emptyPages + 1 : 0
        if pull.emptyPages > Self.emptyPageLimit { return refuse(flight) }
        reached()
        pull.backoff.succeed()
        pull.retryAt = nil
        succeed(.pull)
    }

    /// A scope's pull stops until somebody confirms what it would remove.
    func stop(_ removals: MassDelete) {
        reached()
        pull.stopped[removals.scope] = removals
    }

    /// Every history of the round was read to its end: what was put off until then is done.
    ///
    /// - Returns: Whether the next round is due.
    private func finishRound() async throws -> Bool {
        let scopes = pull.scopes
        guard let round = pull.endRound() else { return false }
        let isWhole = round.isWhole && round.failed.isEmpty
        if !round.failed.isEmpty { pull.want(at: max(now, pull.retryAt ?? now)) }
        if isWhole {
            try await finishWhole(round)
        } else if round.awaited.contains(where: { outstanding[$0.record].contains($0) }) {
            // No page has brought what is awaited, and a whole round tells.
            pull.want(at: now)
        }
        let end = RoundEnd(
            settling: settling,
            outstanding: outstanding,
            scopes: (round.scopes ?? scopes).subtracting(round.failed)
                .subtracting(pull.stopped.keys),
            isWhole: isWhole && pull.stopped.isEmpty,
            freshlyGone: round.freshlyGone
        )
        if try store.read({ try end.isNeeded($0) }) {
            let hasMutations = try await store.writeUnrecorded { try end.apply(to: &$0) }
            if hasMutations { push.want(at: now) }
        }
        try await removeSent()
        if isWhole {
            outstanding = try store.read { try outstanding.withoutDropped($0) }
            pull.want(at: now + configuration.interval)
        }
        return pull.wantedAt.map { $0 <= now } ?? false
    }

    private func finishWhole(_ round: PullLane.Round) async throws {
        guard pull.stopped.isEmpty else { return }
        try await confirm(round.awaited)
        pull.hasReachedEnd = true
        loops.resyncs = [:]
    }
}

extension SyncMachine {
    /// Removes what the app has left and what was sent since.
    private func removeSent() async throws {
        let pending = try store.read { try $0.pendingCount() }
        if pending == pull.pending { return }
        pull.pending = pending
        try await removeUnfollowed()
    }

    private func confirm(_ awaited: [OutstandingMutation]) async throws {
        let confirmed = awaited.filter { outstanding[$0.record].contains($0) }
        if confirmed.isEmpty { return }
        try await store.writeUnrecorded { transaction in
            for mutation in confirmed { try transaction.removeAcknowledged(mutation.sequence) }
        }
        for mutation in confirmed { outstanding.remove(mutation) }
    }
}

extension ServerChange {
    /// Whether it has what its kind needs.
    var isComplete: Bool {
        version.number > 0 && (kind != .put || fields != nil)
    }
}
