import Holdfast

extension SyncMachine {
    /// How many records a transaction of a sweep looks at.
    private static let sweepBatch = 2_000

    /// Begins to read a scope anew, since its cursor is of no use any more.
    ///
    /// - Parameters:
    ///   - scope: The scope.
    ///   - isRestored: Whether the server has lost a part of its history.
    /// - Throws: `StoreError`; nothing was begun.
    func takeSnapshot(of scope: ScopeName, isRestored: Bool) async throws {
        loops.resyncs[scope, default: 0] += 1
        guard loops.resyncs[scope, default: 0] <= configuration.loopLimit else {
            pull.retryAt = now + configuration.backoffCap
            loops.invalidAnswers[.pull] = configuration.loopLimit
            pause = .invalidAnswers
            return
        }
        client.generation += 1
        let client = client
        try await store.writeUnrecorded(.synced) { transaction in
            try transaction.set(client)
            var state = try transaction.scopeState(scope) ?? ScopeState()
            var snapshot = ScopeState.Snapshot(generation: client.generation)
            snapshot.restoredSince =
                isRestored ? client.generation : state.snapshot?.restoredSince
            state.snapshot = snapshot
            state.cursor = nil
            try transaction.set(state, of: scope)
        }
        pull.finished.remove(scope)
        try updateRestoring()
    }

    /// Nothing is sent while the store is compared with a server that lost a part of its history:
    /// versions of the new one are not to be taken for lost ones.
    func updateRestoring() throws {
        isRestoring = try store.read { transaction in
            try transaction.scopeStates().values.contains {
                !$0.isRevoked && $0.snapshot?.restoredSince != nil
            }
        }
        if !isRestoring { push.want(at: now) }
    }

    /// The server was restored from a backup: its history is another one from here on.
    ///
    /// The new history and all that follows from it are one commit: without the comparison, what is
    /// newer here than the backup would be swept away.
    func beginHistory(_ epoch: EpochID) async throws {
        var renewed = client
        renewed.epoch = epoch
        renewed.generation += 1
        renewed.restoredSince = renewed.generation
        renewed.lost = []
        let history = HistoryBeginning(
            client: renewed,
            scopes: pull.scopes,
            // It is in the server's backup, or sent again: the old history's versions confirm none.
            acknowledged: outstanding.acknowledged
        )
        try await store.writeUnrecorded(.synced) { try history.apply(to: &$0) }
        client = renewed
        for mutation in history.acknowledged { outstanding.remove(mutation) }
        connection = .unknown
        pull.beginHistory()
        try updateRestoring()
        pull.want(at: now)
        push.want(at: now)
    }

    /// Takes a page of a snapshot.
    func apply(_ page: SnapshotPage, _ flight: PullLane.Flight) async throws {
        guard try await belongs(page.dataset, page.epoch) else { return }
        guard isValid(page, flight) else { return refuse(flight) }
        guard try await isCurrent(flight) else { return }
        let state = try store.read { try $0.scopeState(flight.scope) } ?? ScopeState()
        guard let snapshot = state.snapshot else { return }
        let head = snapshot.head ?? page.head
        var known = client
        if snapshot.restoredSince != nil { known.lost = page.lost }
        let learnt = known == client ? nil : known
        let application = PageApplication(
            settling: settling,
            scope: flight.scope,
            outstanding: outstanding,
            mark: snapshot.generation,
            restored: snapshot.restoredSince.map { ($0, page.lost) }
        )
        let outcome = try await store.writeUnrecorded(.synced) { transaction in
            var state = state
            let outcome = try application.apply(page.records, &state, to: &transaction)
            state.snapshot?.head = head
            state.snapshot?.lost = page.lost
            state.snapshot?.cursor = snapshot.cursor ?? page.cursor
            state.snapshot?.after = page.next
            state.snapshot?.isComplete = page.next == nil
            try transaction.set(state, of: flight.scope)
            if let learnt { try transaction.set(learnt) }
            return outcome
        }
        client = known
        answered(outcome, leadsOn: page.next != nil, flight)
        try await followIfChanged(page.scopes)
    }

    private func isValid(_ page: SnapshotPage, _ flight: PullLane.Flight) -> Bool {
        page.records.count <= flight.limit
            && (page.next == nil || page.next != flight.cursor)
            && page.records.allSatisfy {
                $0.scope == flight.scope && $0.kind == .put && $0.isComplete
            }
    }

    /// Removes what stood on no page of a snapshot, a part at a time; then changes go on.
    func sweep(_ scope: ScopeName) async throws {
        let sweep = Sweep(
            settling: settling,
            scope: scope,
            limit: Self.sweepBatch,
            isOneOfSeveral: pull.scopes.count > 1
        )
        do {
            let outcome = try await store.writeUnrecorded(.synced) {
                try sweep.apply(to: &$0)
            }
            if outcome.hasMutations { push.want(at: now) }
            pull.lookAgain(for: outcome.gone, at: now)
            try updateRestoring()
        } catch let stop as MassDeleteStop {
            self.stop(stop.removals)
        }
    }

    /// Removes the records of scopes that the principal no longer sees, or the app no longer follows.
    func removeUnfollowed() async throws {
        let scopes = try store.read { try $0.scopeStates() }
            .filter { $0.value.isRevoked || $0.value.isLeft }
        for scope in scopes.keys.sorted(by: { $0.text < $1.text }) {
            let removal = Revocation(settling: settling, scope: scope, limit: Self.sweepBatch)
            while try await store.writeUnrecorded(nil, { try removal.apply(to: &$0) }) {}
        }
    }
}
