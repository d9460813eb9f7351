import Holdfast
import HoldfastStorage

/// A pull would remove more than it may without asking; nothing of the page was taken.
struct MassDeleteStop: Error {
    let removals: MassDelete
}

/// Brings a page of changes and its cursor into the store, in one transaction.
struct PageApplication: Sendable {
    /// What the machine has to know of it.
    struct Outcome: Sendable {
        /// Mutations whose effect the page contains.
        var confirmed: [OutstandingMutation] = []
        /// Mutations whose outcome the page told, and whose effect is still to come.
        var acknowledged: [OutstandingMutation] = []
        /// Records that left the scope.
        var gone: [RecordReference] = []
        /// Whether a record of the page has mutations to send, or had some, for which others of
        /// their groups may have waited.
        var hasMutations = false
        /// Whether something of the page was not known yet.
        var hasNews = false
    }

    let settling: Settling
    let scope: ScopeName
    let outstanding: OutstandingMutations
    /// What the records of a snapshot's page are marked with.
    var mark: UInt32?
    /// Of a server that lost a part of its history: the generation in which comparing with it began,
    /// and the versions that it does not know.
    var restored: (since: UInt32, lost: [ClosedRange<RecordVersion>])?

    /// What a page's commit has to survive: a page that confirms nothing can be asked for again.
    func durability(of page: ChangesPage) -> Durability {
        let confirms = page.changes.contains {
            !$0.mine.isEmpty || !outstanding[$0.record].isEmpty
        }
        return confirms ? .synced : .buffered
    }

    /// Applies a page of changes.
    ///
    /// - Throws: ``MassDeleteStop``; nothing was changed.
    func apply(_ page: ChangesPage, to transaction: inout WriteTransaction) throws -> Outcome {
        var outcome = Outcome()
        var state = try transaction.scopeState(scope) ?? ScopeState()
        let removals = state.removals
        for change in page.changes { try apply(change, &state, &transaction, &outcome) }
        if state.removals > removals { try requireNoMassDelete(&state, transaction) }
        state.cursor = page.cursor
        try transaction.set(state, of: scope)
        return outcome
    }

    /// Applies the records of a snapshot's page.
    func apply(
        _ records: [ServerChange],
        _ state: inout ScopeState,
        to transaction: inout WriteTransaction
    ) throws -> Outcome {
        var outcome = Outcome()
        for change in records { try apply(change, &state, &transaction, &outcome) }
        return outcome
    }

    private func requireNoMassDelete(
        _ state: inout ScopeState,
        _ transaction: borrowing WriteTransaction
    ) throws {
        guard state.accepted == nil else { return }
        let name = MassDelete.name(of: scope, from: state.cursor)
        guard try settling.isMassDelete(state.removals, of: scope, &state, transaction) else {
            return
        }
        throw MassDeleteStop(
            removals: MassDelete(set: name, scope: scope, count: Int(state.removals))
        )
    }

    private func apply(
        _ change: ServerChange,
        _ scopeState: inout ScopeState,
        _ transaction: inout WriteTransaction,
        _ outcome: inout Outcome
    ) throws {
        let record = change.record
        let stored = try transaction.syncRecord(record)
        var state = stored ?? SyncRecord()
        let hadMutations = !state.mutations.isEmpty
        var mustSettle =
            try stored != nil && endMine(change, &state, &transaction, &outcome)
        try confirm(change, &transaction, &outcome)
        defer {
            outcome.hasMutations =
                outcome.hasMutations || hadMutations || !state.mutations.isEmpty
        }
        let wasUnseen = state.isUnseen
        if change.kind != .gone { state.isUnseen = false }
        let isCompared = restored.map { state.mark >= $0.since } ?? true
        if mustSettle || isNews(change, state) { outcome.hasNews = true }
        if let mark { state.mark = mark }
        if change.kind == .gone {
            if try noteGone(change, state, &transaction) { outcome.gone.append(record) }
            if mustSettle { try settling.settle(record, &state, &transaction) }
            return
        }
        if let restored, !isCompared,
            let lost = restored.lost.first(where: { $0.contains(state.version) })
        {
            return try compareAnew(change, behind: lost, &state, &transaction)
        }
        if let restored, !isCompared, let remote = state.remote,
            remote.state == .absent
                || restored.lost.contains(where: { $0.contains(remote.state.version) })
        {
            // What the lost history had said meanwhile is no state of this server: whoever wrote it
            // sends it again, and what was forgotten there is back.
            state.remote = nil
            mustSettle = true
        }
        if !settling.faults.contains(.versionsNotCompared), change.version <= state.version {
            if mustSettle { return try settling.settle(record, &state, &transaction) }
            return try skip(change, &state, wasUnseen: wasUnseen, &transaction)
        }
        if state.isClean {
            try accept(change, &state, &scopeState, &transaction)
        } else {
            if state.remote.map({ $0.state.version < change.version }) ?? true {
                let remote = try settling.arrived(change.state, of: record, &transaction)
                state.remote = SyncRecord.Remote(state: remote, scope: scope)
            }
            try settling.settle(record, &state, &transaction)
        }
    }

    private func isNews(_ change: ServerChange, _ state: SyncRecord) -> Bool {
        if let mark, state.mark != mark { return true }
        return change.version > max(state.version, state.remote?.state.version ?? state.version)
    }

    /// The server's state becomes a clean record's.
    private func accept(
        _ change: ServerChange,
        _ state: inout SyncRecord,
        _ scopeState: inout ScopeState,
        _ transaction: inout WriteTransaction
    ) throws {
        let record = change.record
        let wasLive = !state.isDeleted
        let arrived = try settling.arrived(change.state, of: record, &transaction)
        state.version = change.version
        state.takeForm(of: arrived)
        state.scope = scope
        state.isDeleted = arrived.object == nil
        if let fields = arrived.object {
            try transaction.putDocument(fields, of: record.id, in: record.table)
            try transaction.set(state, of: record)
        } else {
            let removed = try transaction.deleteDocument(of: record.id, in: record.table)
            if removed, wasLive { scopeState.removals += 1 }
            try settling.store(record, &state, nil, &transaction)
        }
    }

    /// A state that is not newer than the base changes nothing but what is not known yet: which
    /// scope the record is in, and that it is seen again.
    private func skip(
        _ change: ServerChange,
        _ state: inout SyncRecord,
        wasUnseen: Bool,
        _ transaction: inout WriteTransaction
    ) throws {
        let isNew = state.scope == nil && change.version == state.version
        if isNew { state.scope = scope }
        if isNew || wasUnseen || mark != nil { try transaction.set(state, of: change.record) }
    }

    /// The mutations that the server names as contained end as by an answer, in either order.
    private func endMine(
        _ change: ServerChange,
        _ state: inout SyncRecord,
        _ transaction: inout WriteTransaction,
        _ outcome: inout Outcome
    ) throws -> Bool {
        guard !change.mine.isEmpty, !state.mutations.isEmpty else { return false }
        // Of a new record that has moved on, nothing is known that could be a base.
        guard change.kind != .gone || state.version.number > 0 else { return false }
        var hasEnded = false
        for mutation in try transaction.mutations(of: state) {
            guard change.mine.contains(mutation.key), let sent = OutstandingMutation(mutation)
            else { continue }
            // The answer alone tells what the handler did and what others did: what follows the
            // action here must not meet its effect as somebody else's edit.
            let isLast = mutation.position == state.mutations.last
            if mutation.change.isAction, mutation.isSent, !isLast { continue }
            let base = try settling.base(of: change.record, state, transaction)
            try settling.end(mutation, &state, &transaction)
            state.base = mutation.change.applied(to: base)
            state.isDeleted = state.base == nil
            hasEnded = true
            outcome.confirmed.append(sent)
        }
        return hasEnded
    }

    /// A state at least as new as an acknowledged effect contains it.
    private func confirm(
        _ change: ServerChange,
        _ transaction: inout WriteTransaction,
        _ outcome: inout Outcome
    ) throws {
        for mutation in outstanding[change.record] {
            let isContained = mutation.acknowledged.map { $0 <= change.version } ?? false
            guard isContained || change.mine.contains(mutation.key) else { continue }
            guard mutation.acknowledged != nil else { continue }
            try transaction.removeAcknowledged(mutation.sequence)
            outcome.confirmed.append(mutation)
        }
    }

    /// A record that left this scope may turn up in another: what becomes of it is decided when all
    /// histories have been read to their end.
    private func noteGone(
        _ change: ServerChange,
        _ state: SyncRecord,
        _ transaction: inout WriteTransaction
    ) throws -> Bool {
        let anywhere = settling.faults.contains(.goneFromAnyScope)
        // A new record whose answer has not come is in no scope yet, but it was in this one.
        let wasHere = state.scope == scope || state.scope == nil && !change.mine.isEmpty
        guard anywhere || wasHere && change.version > state.version else { return false }
        let note = GoneNote(scope: scope, version: change.version)
        try transaction.note(.gone, change.record, true, note.encoded())
        return true
    }

    /// After the server lost a part of its history: what is here and newer than what it has may be
    /// the only copy, and is sent again.
    ///
    /// Where somebody has written the record in the new history, the two have no base in common:
    /// what is here meets it like an edit of everything.
    private func compareAnew(
        _ change: ServerChange,
        behind lost: ClosedRange<RecordVersion>,
        _ state: inout SyncRecord,
        _ transaction: inout WriteTransaction
    ) throws {
        let record = change.record
        // What is here and was agreed on; with mutations, what they were made on.
        let agreed = try settling.base(of: record, state, transaction)
        let arrived = try settling.arrived(change.state, of: record, &transaction)
        state.scope = scope
        if change.version > lost.upperBound, change.fields != nil, arrived.object != agreed {
            state.version = RecordVersion(0)
            state.isDeleted = true
            state.base = nil
            state.remote = SyncRecord.Remote(state: arrived, scope: scope)
            let sent = try transaction.mutations(of: state).filter(\.isUnknown)
            if let agreed, let again = Mutation.Change.put(agreed).leaving(sent) {
                try settling.queue(
                    again,
                    of: record,
                    isFirst: true,
                    isRemade: true,
                    &state,
                    &transaction
                )
            }
            return try settling.settle(record, &state, &transaction)
        }
        state.version = change.version
        state.takeForm(of: arrived)
        state.isDeleted = arrived.object == nil
        state.base = arrived.object
        state.remote = nil
        // A deletion that was lost gives way to what was written since.
        let isOver = agreed == nil && change.version > lost.upperBound
        if !isOver, let difference = Self.difference(from: arrived.object, to: agreed) {
            let sent = try transaction.mutations(of: state).filter(\.isUnknown)
            if let mutation = difference.leaving(sent) {
                try settling.queue(mutation, of: record, isFirst: true, &state, &transaction)
            }
        }
        try settling.settle(record, &state, &transaction)
    }

    /// What makes one state of another, counters included: a step of a counter would count what
    /// others restore as well.
    static func difference(from old: JSONObject?, to new: JSONObject?) -> Mutation.Change? {
        guard let new else { return old == nil ? nil : .delete }
        guard let old else { return .put(new) }
        let (set, unset) = Mutation.Change.patch(from: old, to: new, rules: SyncRules())
        return set.isEmpty && unset.isEmpty ? nil : .patch(set: set, unset: unset)
    }
}

extension ServerChange {
    /// The state that it tells of.
    var state: ServerState {
        ServerState(version: version, object: fields, form: fields == nil ? 0 : form)
    }
}
