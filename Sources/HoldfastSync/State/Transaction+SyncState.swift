package import Holdfast
import HoldfastStorage

/// Reading what sync stores.
extension Transaction where Self: ~Copyable {
    /// What is known of this replica; `nil` before sync was first used.
    package func clientState() throws -> ClientState? {
        try systemValue(for: SyncKey.client).map { try ClientState($0) }
    }

    /// What sync knows of a record; `nil` for one that it does not know.
    package func syncRecord(_ record: RecordReference) throws -> SyncRecord? {
        try systemValue(for: SyncKey.record(record)).map { try SyncRecord($0) }
    }

    /// A mutation of the outbox.
    package func mutation(at position: Mutation.Position) throws -> Mutation? {
        try systemValue(for: SyncKey.mutation(position)).map { try Mutation($0, at: position) }
    }

    /// Whether the mutation in a place has this key, was sent, and has a base.
    func isSent(_ key: MutationKey, at position: Mutation.Position) throws -> Bool {
        try systemValue(for: SyncKey.mutation(position)).map { try Mutation.isSent($0, under: key) }
            ?? false
    }

    /// A record's mutations in their order.
    ///
    /// - Throws: ``SyncError`` `.damagedState` when one of them is not there.
    package func mutations(of record: SyncRecord) throws -> [Mutation] {
        try record.mutations.map { position in
            guard let mutation = try mutation(at: position) else {
                throw SyncError.damagedState("a record's state")
            }
            return mutation
        }
    }

    /// How far a scope has been followed; `nil` for one that never was.
    package func scopeState(_ scope: ScopeName) throws -> ScopeState? {
        try systemValue(for: SyncKey.scope(scope)).map { try ScopeState($0) }
    }

    /// All scopes that are or were followed.
    package func scopeStates() throws -> [ScopeName: ScopeState] {
        var scopes: [ScopeName: ScopeState] = [:]
        try scanSystem(SyncKey.all(.scope)) { key, value in
            scopes[SyncKey.scope(of: key)] = try ScopeState(value)
            return true
        }
        return scopes
    }

    /// Visits the mutations that the server acknowledged and no pull has confirmed.
    package func scanAcknowledged(_ visit: (OutstandingMutation) throws -> Bool) throws {
        try scanSystem(SyncKey.all(.acknowledged)) { key, value in
            try visit(OutstandingMutation(value, sequence: SyncKey.sequence(of: key)))
        }
    }

    /// Visits the outbox in its order until `visit` returns `false`.
    package func scanMutations(
        after position: Mutation.Position? = nil,
        _ visit: (Mutation) throws -> Bool
    ) throws {
        var range = SyncKey.all(.outbox)
        if let position { range.lower = SyncKey.mutation(position) + [0] }
        try scanSystem(range) { key, value in
            guard let position = SyncKey.position(of: key) else {
                throw SyncError.damagedState("a mutation")
            }
            return try visit(Mutation(value, at: position))
        }
    }

    /// How many mutations wait: O(log n).
    package func pendingCount() throws -> Int { try countSystem(in: SyncKey.all(.outbox)) }

    /// How many entries of a kind there are: O(log n).
    package func syncCount(_ kind: SyncKey.Kind) throws -> Int {
        try countSystem(in: SyncKey.all(kind))
    }
}

/// Writing what sync stores.
extension WriteTransaction {
    /// Stores what is known of this replica.
    package mutating func set(_ client: ClientState) throws {
        try putSystem(client.encoded(), for: SyncKey.client)
    }

    /// Stores what is known of a record, and whether no step could be run on it.
    package mutating func set(_ state: SyncRecord, of record: RecordReference) throws {
        try putSystem(state.encoded(), for: SyncKey.record(record))
        if state.isRaw != state.wasRaw { try note(.raw, record, state.isRaw) }
    }

    /// Forgets a record.
    package mutating func removeSyncRecord(_ record: RecordReference) throws {
        try deleteSystem(SyncKey.record(record))
        try note(.raw, record, false)
    }

    /// Notes something about a record in an index of its own, or takes the note back.
    package mutating func note(
        _ kind: SyncKey.Kind,
        _ record: RecordReference,
        _ isNoted: Bool,
        _ value: [UInt8] = []
    ) throws {
        let key = SyncKey.record(record, kind)
        if isNoted {
            try putSystem(value, for: key)
        } else {
            try deleteSystem(key)
        }
    }

    /// Stores a mutation in its place.
    ///
    /// - Parameters:
    ///   - mutation: The mutation.
    ///   - wasRefused: Whether the one in its place may need attention.
    /// - Throws: `StoreError`; nothing was written.
    package mutating func set(_ mutation: Mutation, wasRefused: Bool = true) throws {
        try putSystem(mutation.encoded(), for: SyncKey.mutation(mutation.position))
        if case .attention = mutation.state {
            try putSystem([], for: SyncKey.mutation(mutation.position, .attention))
        } else if wasRefused {
            try deleteSystem(SyncKey.mutation(mutation.position, .attention))
        }
    }

    /// Takes a mutation out of the outbox.
    package mutating func remove(_ mutation: Mutation) throws {
        try deleteSystem(SyncKey.mutation(mutation.position))
        guard case .attention = mutation.state else { return }
        try deleteSystem(SyncKey.mutation(mutation.position, .attention))
    }

    /// Takes a mutation that was sent, and so needs no attention, out of the outbox.
    mutating func removeSent(at position: Mutation.Position) throws {
        try deleteSystem(SyncKey.mutation(position))
    }

    /// Stores how far a scope has been followed.
    package mutating func set(_ state: ScopeState, of scope: ScopeName) throws {
        try putSystem(state.encoded(), for: SyncKey.scope(scope))
    }

    /// Forgets a scope.
    package mutating func removeScope(_ scope: ScopeName) throws {
        try deleteSystem(SyncKey.scope(scope))
    }

    /// Stores a mutation that was acknowledged and is not confirmed.
    package mutating func set(_ acknowledged: OutstandingMutation) throws {
        let key = SyncKey.acknowledged(acknowledged.sequence)
        try putSystem(acknowledged.encoded(), for: key)
    }

    /// A mutation has been confirmed.
    package mutating func removeAcknowledged(_ sequence: Int64) throws {
        try deleteSystem(SyncKey.acknowledged(sequence))
    }

    /// The next free place in the outbox: behind everything that was committed and behind what this
    /// transaction has queued.
    package func nextPosition() throws -> Mutation.Position {
        // The number of the state that the transaction began with, plus one: its own, should it
        // commit, and no other's in any case.
        let number = sequenceNumber.rawValue + 1
        var position = Mutation.Position(transaction: number, place: 0)
        try scanSystemKeys(.prefix(SyncKey.transaction(number)), .backward) { key in
            position.place = (SyncKey.position(of: key)?.place ?? 0) + 1
            return false
        }
        return position
    }
}

extension Transaction where Self: ~Copyable {
    /// The mutations of a group, of which one is known: a group is one transaction's.
    func members(of group: String, with one: Mutation) throws -> [Mutation] {
        var members: [Mutation] = []
        try scanSystem(.prefix(SyncKey.transaction(one.position.transaction))) { key, value in
            guard let position = SyncKey.position(of: key) else { return true }
            let member = try Mutation(value, at: position)
            if member.group == group { members.append(member) }
            return true
        }
        return members
    }

    /// The records that are noted under a kind, in their order.
    ///
    /// - Throws: `StoreError`.
    func noted(_ kind: SyncKey.Kind) throws -> [RecordReference] {
        var records: [RecordReference] = []
        try scanSystemKeys(SyncKey.all(kind)) { key in
            if let record = SyncKey.record(of: key) { records.append(record) }
            return true
        }
        return records
    }
}
