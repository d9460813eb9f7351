package import Holdfast

/// What a person or the app does about mutations that need attention, and about conflicts that wait.
///
/// Each runs inside one transaction that is not recorded. Nothing that was sent is touched while its
/// outcome is unknown.
package struct AttentionCommands: Sendable {
    let settling: Settling

    /// Sends a refused mutation again: under a new key, unless it might count twice.
    ///
    /// - Throws: ``SyncError`` `.noSuchMutation`.
    package func retry(_ key: MutationKey, in transaction: inout WriteTransaction) throws {
        let mutation = try refused(key, transaction)
        var again = mutation.retried(as: settling.environment.key())
        again.conflicts = 0
        try transaction.set(again)
        guard var state = try transaction.syncRecord(mutation.record) else { return }
        try settling.settle(mutation.record, &state, &transaction)
    }

    /// The mutations that go when one is discarded: itself and the rest of its group, what means
    /// nothing without them, and with a creation everything of the records that refer to it and wait
    /// to be created.
    ///
    /// - Returns: The mutations in their order, the discarded one first.
    /// - Throws: ``SyncError`` `.noSuchMutation`.
    package func dependents(
        of key: MutationKey,
        _ transaction: borrowing WriteTransaction
    ) throws -> [Mutation] {
        var visited = Visited()
        return try dependents(of: key, transaction, &visited)
    }

    /// Records that refer to each other, and groups, are visited once.
    private struct Visited {
        var records: Set<RecordReference> = []
        var groups: Set<String> = []
    }

    private func dependents(
        of key: MutationKey,
        _ transaction: borrowing WriteTransaction,
        _ visited: inout Visited
    ) throws -> [Mutation] {
        let mutation = try mutation(key, transaction)
        visited.records.insert(mutation.record)
        guard let state = try transaction.syncRecord(mutation.record) else {
            throw SyncError.damagedState("a record's state")
        }
        let all = try transaction.mutations(of: state)
        let base = try settling.base(of: mutation.record, state, transaction)
        let kept = Set(all.discarding(key, on: base).map(\.position))
        var gone = [mutation] + all.filter { !kept.contains($0.position) && $0 != mutation }
        if let group = mutation.group, visited.groups.insert(group).inserted {
            for other in try transaction.members(of: group, with: mutation)
            where other != mutation {
                gone.add(try dependents(of: other.key, transaction, &visited))
            }
        }
        guard case .put = mutation.change, state.isDeleted else { return gone }
        for child in try children(of: mutation.record, transaction)
        where !visited.records.contains(child.record) {
            gone.add(try dependents(of: child.key, transaction, &visited))
        }
        return gone
    }

    /// Gives up a mutation and what depends on it: the records are again as the server has them,
    /// with the mutations that remain.
    ///
    /// - Returns: The mutations that are gone.
    /// - Throws: ``SyncError`` `.noSuchMutation`, or `.outcomeUnknown` when one of them was sent;
    ///   nothing was changed.
    @discardableResult
    package func discard(
        _ key: MutationKey,
        in transaction: inout WriteTransaction
    ) throws -> [Mutation] {
        let gone = try dependents(of: key, transaction)
        // What refers to a record that the server never had has had no effect, even if it was sent.
        if let record = gone.first?.record,
            gone.contains(where: {
                $0.isSent && ($0.record == record || $0.group != nil && $0.group == gone[0].group)
            })
        {
            throw SyncError.outcomeUnknown
        }
        for mutation in gone {
            guard var state = try transaction.syncRecord(mutation.record) else { continue }
            state.base = try settling.base(of: mutation.record, state, transaction)
            try settling.end(mutation, &state, &transaction)
            try inherit(mutation, state, &transaction)
            if state.mutations.isEmpty, state.remote == nil { state.question = nil }
            try settle(mutation.record, &state, &transaction)
        }
        return gone
    }

    /// The first one that remains and writes the same says what is lost by that.
    private func inherit(
        _ gone: Mutation,
        _ state: SyncRecord,
        _ transaction: inout WriteTransaction
    ) throws {
        if gone.ledger.isEmpty { return }
        for var heir in try transaction.mutations(of: state) where !heir.isUnknown {
            if heir.inherit(from: gone) { return try transaction.set(heir) }
        }
    }

    /// Decides a conflict that waits: the version that stays where both sides changed a field.
    ///
    /// - Throws: ``SyncError`` `.noQuestion` when none waits.
    package func resolve(
        _ record: RecordReference,
        choosing choice: ConflictChoice,
        in transaction: inout WriteTransaction
    ) throws {
        guard var state = try transaction.syncRecord(record), state.question != nil else {
            throw SyncError.noQuestion
        }
        let mutations = try transaction.mutations(of: state)
        if mutations.contains(where: \.isSent) { throw SyncError.outcomeUnknown }
        let base = try settling.base(of: record, state, transaction)
        let agreed = state.agreed(base)
        let rebase = HoldfastSync.resolve(
            record,
            base: agreed,
            mutations: mutations,
            remote: state.remote?.state ?? agreed,
            rules: settling.tables[record.table],
            choosing: choice
        )
        try settling.carryOut(rebase, record, &state, mutations, &transaction)
    }

    /// The record without the mutation; a state of the server that waited for it is planned.
    ///
    /// One that the principal sees no longer was here for its mutations alone.
    private func settle(
        _ record: RecordReference,
        _ state: inout SyncRecord,
        _ transaction: inout WriteTransaction
    ) throws {
        if state.mutations.isEmpty, state.isUnseen {
            return try settling.lose(record, &state, &transaction)
        }
        if state.mutations.isEmpty, state.remote == nil {
            let base = state.base
            try settling.write(base, of: record, &transaction)
            return try settling.store(record, &state, base, &transaction)
        }
        try settling.settle(record, &state, &transaction)
    }

    /// The creations that wait here and refer to a record.
    private func children(
        of record: RecordReference,
        _ transaction: borrowing WriteTransaction
    ) throws -> [Mutation] {
        var children: [Mutation] = []
        try transaction.scanMutations { mutation in
            if case .put(let object) = mutation.change, mutation.record != record,
                settling.tables.parents(of: object, in: mutation.record.table).contains(record)
            {
                children.append(mutation)
            }
            return true
        }
        return children
    }

    private func mutation(
        _ key: MutationKey,
        _ transaction: borrowing WriteTransaction
    ) throws -> Mutation {
        var found: Mutation?
        try transaction.scanMutations { mutation in
            if mutation.key == key { found = mutation }
            return found == nil
        }
        guard let found else { throw SyncError.noSuchMutation }
        return found
    }

    private func refused(
        _ key: MutationKey,
        _ transaction: borrowing WriteTransaction
    ) throws -> Mutation {
        let mutation = try mutation(key, transaction)
        guard case .attention = mutation.state else { throw SyncError.noSuchMutation }
        return mutation
    }
}

extension SyncError.Code {
    /// No mutation with this key waits, or it does not need attention.
    public static let noSuchMutation = Self("noSuchMutation")
    /// The mutation was sent, and what became of it is not known yet.
    public static let outcomeUnknown = Self("outcomeUnknown")
    /// The record waits for no decision.
    public static let noQuestion = Self("noQuestion")
}

extension SyncError {
    static let noSuchMutation = Self(
        .noSuchMutation,
        "There is no such change in the outbox any more; list it again."
    )
    static let outcomeUnknown = Self(
        .outcomeUnknown,
        "The change was sent and the answer is not here yet; try again after the next sync."
    )
    static let noQuestion = Self(
        .noQuestion,
        "The record waits for no decision any more; list the conflicts again."
    )
}

extension [Mutation] {
    fileprivate mutating func add(_ others: [Mutation]) {
        for other in others where !contains(other) { append(other) }
    }
}
