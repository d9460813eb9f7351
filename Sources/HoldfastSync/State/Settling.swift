import Holdfast

/// Keeps a record, its base and its mutations in step: what is read here is always the base with
/// the mutations, in the same transaction.
struct Settling: Sendable {
    let tables: SyncedTables
    let configuration: SyncConfiguration
    let environment: SyncEnvironment

    var faults: PlantedFaults { configuration.faults }

    /// The record as both sides last agreed on it.
    func base(
        of record: RecordReference,
        _ state: SyncRecord,
        _ transaction: borrowing WriteTransaction
    ) throws -> JSONObject? {
        if state.isDeleted { return nil }
        if let base = state.base { return base }
        return try transaction.get(record.id, in: record.table)
    }

    /// Takes a mutation out of the outbox.
    func end(
        _ mutation: Mutation,
        _ state: inout SyncRecord,
        _ transaction: inout WriteTransaction
    ) throws {
        try transaction.remove(mutation)
        state.mutations.removeAll { $0 == mutation.position }
    }

    /// Moves the base to where an acknowledged mutation has brought it.
    ///
    /// A whole record that comes with the answer may hold what others did: it is the newest state of
    /// the server, and what waits behind the mutation is planned against it. Else the version is
    /// taken only where what it stands for is known.
    func advance(
        _ state: inout SyncRecord,
        by mutation: Mutation,
        _ result: PushResult,
        _ transaction: inout WriteTransaction
    ) throws {
        if let version = result.version, version <= state.version,
            !faults.contains(.versionsNotCompared)
        {
            if version == state.version { learnForm(from: result, to: mutation, &state) }
            return
        }
        state.isUnseen = false
        let status = result.original ?? result.status
        let answered = try self.answered(result, of: mutation.record, &transaction)
        // What a handler made of the very state that is known here is nobody else's edit, whatever
        // was guessed: what follows it here was done to that.
        if status == .applied, let version = result.version, mutation.wasCalled(on: state.version) {
            state.base = answered?.object
            state.isDeleted = state.base == nil
            state.version = version
            if let answered { state.takeForm(of: answered) }
            if let remote = state.remote, remote.state.version <= version { state.remote = nil }
            return
        }
        state.base = mutation.change.applied(
            to: try base(of: mutation.record, state, transaction)
        )
        state.isDeleted = state.base == nil
        // The server knows nothing of the record: no version of it stands for anything any more.
        if mutation.change == .delete, result.version == nil { state.version = RecordVersion(0) }
        // A put is compared whole: a record that was so already is exactly what was sent.
        let isExact =
            mutation.change.hasBase && status == .applied
            || mutation.change.isPut && status == .noop
        if result.isTombstone || result.record != nil, let answered {
            stand(answered, in: result.scope, against: &state)
        } else if isExact, let answered {
            state.version = answered.version
            state.takeForm(of: answered)
            learnForm(from: result, to: mutation, &state)
            state.scope = result.scope ?? state.scope
        }
        guard let remote = state.remote, remote.state.version <= state.version else { return }
        // That the record is gone stays news unless the answer tells of a later state.
        if remote.state != .absent || result.version != nil { state.remote = nil }
    }

    /// The state that an answer tells of; `nil` where it tells of none.
    func answered(
        _ result: PushResult,
        of record: RecordReference,
        _ transaction: inout WriteTransaction
    ) throws -> ServerState? {
        guard let version = result.version else { return nil }
        let object = result.isTombstone ? nil : result.record
        let state = ServerState(version: version, object: object, form: result.form)
        return try arrived(state, of: record, &transaction)
    }

    /// The newest state of the server, unless a newer one is known.
    func stand(
        _ remote: ServerState,
        in scope: ScopeName?,
        against state: inout SyncRecord
    ) {
        if let known = state.remote, known.state.version > remote.version { return }
        // The server knows better in which older form it has the base: it is sent whole then.
        if remote.version == state.version, remote.form > 0, remote.form <= tables.form {
            if state.form == 0 || state.isRaw, let object = remote.object { state.base = object }
            state.takeForm(of: remote)
        }
        // What is no news cannot be planned with, and must not keep anything from being sent.
        if remote.version <= state.version { return }
        state.remote = SyncRecord.Remote(state: remote, scope: scope ?? state.scope)
    }

    /// Plans a record whose base, remote state or mutations changed, and writes what follows: the
    /// record, its mutations, and what is known of it.
    func settle(
        _ record: RecordReference,
        _ state: inout SyncRecord,
        _ transaction: inout WriteTransaction
    ) throws {
        let base = try base(of: record, state, transaction)
        let mutations = try ordered(&state, base, transaction)
        let isAhead = self.isAhead(state, of: mutations)
        let isUnknown =
            mutations.isOutcomeUnknown && !faults.contains(.planningWhileUnknown)
            || isAhead
        if state.remote == nil || isAhead { state.question = nil }
        guard let remote = state.remote, !isUnknown else {
            try write(mutations.applied(to: base), of: record, &transaction)
            return try store(record, &state, base, &transaction)
        }
        let mergeBase = faults.contains(.mergeWithoutBase) ? remote.state.object : base
        let plan = HoldfastSync.plan(
            record,
            base: state.agreed(mergeBase),
            mutations: mutations,
            remote: remote.state,
            rules: tables[record.table],
            isOutcomeUnknown: isUnknown
        )
        try carryOut(plan, record, &state, base, mutations, &transaction)
    }

    /// The record's mutations in their order.
    ///
    /// A record that the server lost while a mutation was in flight is made anew behind that; once
    /// its outcome is known, what is left of it goes behind.
    private func ordered(
        _ state: inout SyncRecord,
        _ base: JSONObject?,
        _ transaction: borrowing WriteTransaction
    ) throws -> [Mutation] {
        var mutations = try transaction.mutations(of: state)
        guard base == nil, !mutations.isOutcomeUnknown,
            let creation = mutations.firstIndex(where: \.change.isPut),
            mutations[..<creation].contains(where: \.change.needsRecord)
        else { return mutations }
        mutations.insert(mutations.remove(at: creation), at: 0)
        state.mutations = mutations.map(\.position)
        return mutations
    }

    private func carryOut(
        _ plan: SyncPlan,
        _ record: RecordReference,
        _ state: inout SyncRecord,
        _ base: JSONObject?,
        _ mutations: [Mutation],
        _ transaction: inout WriteTransaction
    ) throws {
        switch plan {
        case .idle, .send, .wait:
            // What is no news must not keep the mutations from being sent.
            if case .wait = plan {} else { state.remote = nil }
            try write(mutations.applied(to: base), of: record, &transaction)
            try store(record, &state, base, &transaction)
        case .ask(let fields):
            state.question = fields
            try write(mutations.applied(to: base), of: record, &transaction)
            try store(record, &state, base, &transaction)
        case .accept(let remote):
            for mutation in mutations { try end(mutation, &state, &transaction) }
            take(remote, &state)
            try write(remote.object, of: record, &transaction)
            try store(record, &state, remote.object, &transaction)
        case .rebase(let rebase):
            try carryOut(rebase, record, &state, mutations, &transaction)
        }
    }

    /// Puts a record's mutations on a newer state of the server.
    func carryOut(
        _ rebase: Rebase,
        _ record: RecordReference,
        _ state: inout SyncRecord,
        _ mutations: [Mutation],
        _ transaction: inout WriteTransaction
    ) throws {
        let kept = Set(rebase.mutations.map(\.position))
        for mutation in mutations where !kept.contains(mutation.position) {
            try end(mutation, &state, &transaction)
        }
        for mutation in rebase.mutations { try transaction.set(mutation) }
        state.mutations = rebase.mutations.map(\.position)
        take(rebase.base, &state)
        if !rebase.unclaimed.isEmpty {
            try queue(
                .patch(set: [:], unset: []),
                of: record,
                discarding: rebase.unclaimed,
                &state,
                &transaction
            )
        }
        try write(rebase.local, of: record, &transaction)
        try store(record, &state, rebase.base.object, &transaction)
        for copy in rebase.copies { try put(copy, in: record.table, &transaction) }
    }

    /// Makes the server's state the base.
    private func take(_ remote: ServerState, _ state: inout SyncRecord) {
        state.version = remote.version
        state.takeForm(of: remote)
        state.isDeleted = remote.object == nil
        state.base = remote.object
        state.scope = state.remote?.scope ?? state.scope
        state.remote = nil
        state.question = nil
    }

    /// Queues a mutation behind those of its record, or before those that were never sent.
    func queue(
        _ change: Mutation.Change,
        of record: RecordReference,
        isFirst: Bool = false,
        isRemade: Bool = false,
        discarding ledger: [LedgerEntry] = [],
        _ state: inout SyncRecord,
        _ transaction: inout WriteTransaction
    ) throws {
        var mutation = Mutation(
            position: try transaction.nextPosition(),
            key: environment.key(),
            record: record,
            change: change
        )
        mutation.created = environment.wallClock()
        mutation.ledger = ledger
        mutation.isRemade = isRemade
        mutation.isDoubtful = isRemade
        mutation.schema = tables.version
        try transaction.set(mutation)
        var place = state.mutations.endIndex
        if isFirst {
            let sent = try transaction.mutations(of: state).lastIndex(where: \.isUnknown)
            place = sent.map { $0 + 1 } ?? 0
        }
        state.mutations.insert(mutation.position, at: place)
    }

    /// Puts a copy that keeps what was discarded, unless it was made before.
    private func put(
        _ copy: Rebase.Copy,
        in table: TableName,
        _ transaction: inout WriteTransaction
    ) throws {
        let record = RecordReference(table, copy.id)
        guard try transaction.syncRecord(record) == nil,
            try transaction.document(of: copy.id, in: table) == nil
        else { return }
        var state = SyncRecord()
        try queue(.put(copy.object), of: record, &state, &transaction)
        try transaction.putDocument(copy.object, of: copy.id, in: table)
        try store(record, &state, nil, &transaction)
    }

    /// Stores what is known of a record; a clean one is its own base.
    func store(
        _ record: RecordReference,
        _ state: inout SyncRecord,
        _ base: JSONObject?,
        _ transaction: inout WriteTransaction
    ) throws {
        state.base = state.isClean ? nil : base
        try transaction.note(.question, record, state.question != nil)
        let isNothing = state.isClean && state.version == RecordVersion(0)
        if isNothing {
            try transaction.removeSyncRecord(record)
        } else {
            try transaction.set(state, of: record)
        }
        if state.isClean, state.isDeleted, !isNothing {
            try transaction.note(.tombstone, record, true)
        }
    }

    /// Writes the record as it is to be read here, where that is new.
    func write(
        _ object: JSONObject?,
        of record: RecordReference,
        _ transaction: inout WriteTransaction
    ) throws {
        let current = try transaction.get(record.id, in: record.table)
        if current == object { return }
        if let object {
            try transaction.putDocument(object, of: record.id, in: record.table)
        } else {
            try transaction.deleteDocument(of: record.id, in: record.table)
        }
    }

    /// Whether a record that a mutation refers to waits here to be created.
    func waitsForParent(
        _ mutation: Mutation,
        _ transaction: borrowing WriteTransaction
    ) throws -> Bool {
        try tables.parents(of: mutation.writtenFields, in: mutation.record.table).contains {
            guard let state = try transaction.syncRecord($0) else { return false }
            return state.version == RecordVersion(0) && !state.mutations.isEmpty
        }
    }
}
