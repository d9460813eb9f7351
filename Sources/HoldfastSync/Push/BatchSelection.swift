import Holdfast

/// Chooses what to send next and freezes it, inside one transaction.
///
/// A record has at most one mutation in flight, unless they are one group: the next one waits for
/// the answer, whose version it is based on.
struct BatchSelection: ~Copyable {
    private let lane: PushLane
    private let limits: (operations: Int, bytes: Int)
    let tables: SyncedTables
    private let configuration: SyncConfiguration
    private let now: Duration

    private(set) var client: ClientState
    private var sender: ClientID?
    private var chosen: [Mutation] = []
    private var bytes = 0
    private var taken: Set<RecordReference> = []
    private var blocked: Set<RecordReference> = []
    private var seen: Set<Mutation.Position> = []
    private var dependencies: [Mutation.Position: [RecordReference]] = [:]
    private var cycles: [Mutation.Position: String] = [:]
    private var isFull = false
    /// What is known of records that were looked at: nothing of it changes while choosing.
    private(set) var states: [RecordReference: SyncRecord] = [:]
    /// Mutations before which the record has to be brought to this app's form.
    var untranslated: [Mutation] = []
    /// Mutations of records that the server has in a newer form than this app's.
    private var ahead: [Mutation] = []
    /// Records that this batch brings to this app's form.
    var translated: Set<RecordReference> = []

    init(
        _ lane: PushLane,
        client: ClientState,
        tables: SyncedTables,
        configuration: SyncConfiguration,
        at now: Duration
    ) {
        self.lane = lane
        limits = lane.batchLimits
        self.client = client
        self.tables = tables
        self.configuration = configuration
        self.now = now
    }

    /// Chooses and freezes.
    ///
    /// - Returns: The batch; empty when nothing is due.
    mutating func run(_ transaction: inout WriteTransaction) throws -> PushBatch {
        try choose(transaction)
        if !untranslated.isEmpty || !ahead.isEmpty {
            for mutation in untranslated { try transaction.translate(before: mutation, tables) }
            for mutation in ahead { try transaction.refuse(mutation, for: .olderForm) }
            self = BatchSelection(
                lane,
                client: client,
                tables: tables,
                configuration: configuration,
                at: now
            )
            try choose(transaction)
        }
        return try freeze(&transaction)
    }

    private mutating func choose(_ transaction: borrowing WriteTransaction) throws {
        var last: Mutation.Position?
        while !isFull, chosen.count < limits.operations {
            // A few at a time: what is chosen is seldom more than a request's worth.
            var candidates: [Mutation] = []
            try transaction.scanMutations(after: last) { mutation in
                candidates.append(mutation)
                return candidates.count < limits.operations
            }
            guard let end = candidates.last else { return }
            last = end.position
            for mutation in candidates where !seen.contains(mutation.position) && !isFull {
                let isTaken = try take(mutation, [], transaction)
                if !isTaken, configuration.isStrictlyOrdered { return }
            }
        }
    }

    /// Takes a mutation, and first what it depends on.
    ///
    /// - Parameters:
    ///   - mutation: The mutation.
    ///   - path: The mutations that wait for this one, to find circles.
    ///   - transaction: The transaction.
    /// - Returns: Whether it goes with this request.
    /// - Throws: `StoreError`, or ``SyncError`` `.damagedState`.
    private mutating func take(
        _ mutation: Mutation,
        _ path: [Mutation],
        _ transaction: borrowing WriteTransaction
    ) throws -> Bool {
        let members = try self.members(of: mutation, transaction)
        if let first = try first(before: members, transaction) {
            for member in members { seen.insert(member.position) }
            return try take(first, path, transaction)
        }
        for member in members {
            guard try isReady(member, among: members, transaction) else {
                return try block(members, transaction)
            }
        }
        guard makesRoom(for: members) else { return false }
        for member in members { seen.insert(member.position) }
        for member in members {
            guard try takeParents(of: member, path + [mutation], transaction) else {
                return try block(members, transaction)
            }
        }
        // A circle may have come back to the group by another of its records.
        if members.contains(where: { taken.contains($0.record) }) { return true }
        guard makesRoom(for: members) else { return try block(members, transaction) }
        for member in members {
            taken.insert(member.record)
            chosen.append(member)
            bytes += member.size
        }
        sender = sender ?? mutation.sender ?? client.client
        return true
    }

    /// They wait, and with them what refers to their records; what goes before one of them does not.
    private mutating func block(
        _ members: [Mutation],
        _ transaction: borrowing WriteTransaction
    ) throws -> Bool {
        for member in members {
            seen.insert(member.position)
            let first = try transaction.syncRecord(member.record)?.mutations.first
            if first == member.position { blocked.insert(member.record) }
        }
        return false
    }

    private mutating func makesRoom(for members: [Mutation]) -> Bool {
        let size = members.reduce(0) { $0 + $1.size }
        let fits =
            chosen.isEmpty
            || chosen.count + members.count <= limits.operations && bytes + size <= limits.bytes
        isFull = isFull || !fits
        return fits
    }

    /// A mutation, or all of its group.
    private func members(
        of mutation: Mutation,
        _ transaction: borrowing WriteTransaction
    ) throws -> [Mutation] {
        guard let group = mutation.group else { return [mutation] }
        return try transaction.members(of: group, with: mutation)
    }

    /// A mutation that goes before one of these although it stands behind it in the outbox: a record
    /// that has to be made anew is put before its edits.
    private mutating func first(
        before members: [Mutation],
        _ transaction: borrowing WriteTransaction
    ) throws -> Mutation? {
        for member in members {
            guard let first = try state(of: member.record, transaction)?.mutations.first,
                first > member.position, !seen.contains(first),
                !members.contains(where: { $0.position == first })
            else { continue }
            return try transaction.mutation(at: first)
        }
        return nil
    }

    private mutating func state(
        of record: RecordReference,
        _ transaction: borrowing WriteTransaction
    ) throws -> SyncRecord? {
        if let state = states[record] { return state }
        let state = try transaction.syncRecord(record)
        states[record] = state
        return state
    }

    /// Whether a mutation may be sent now, as far as its own record goes.
    private mutating func isReady(
        _ mutation: Mutation,
        among members: [Mutation],
        _ transaction: borrowing WriteTransaction
    ) throws -> Bool {
        let record = mutation.record
        if case .attention = mutation.state { return false }
        if blocked.contains(record) || taken.contains(record) { return false }
        if lane.delays.isDelayed(record, group: mutation.group, at: now) { return false }
        if let sender, mutation.sender ?? client.client != sender { return false }
        guard let state = try state(of: record, transaction) else {
            throw SyncError.damagedState("a record's state")
        }
        if state.question != nil { return false }
        if !mutation.isUnknown, let remote = state.remote {
            // Only an update of the app goes on with it, and somebody has to know.
            if remote.isAhead(of: tables.form), mutation.change.saysFields {
                ahead.append(mutation)
            }
            return false
        }
        for position in state.mutations.prefix(while: { $0 != mutation.position })
        where !members.contains(where: { $0.position == position }) {
            // A step that may have been counted already keeps nothing else back.
            guard try transaction.mutation(at: position)?.mayCountTwice == true else {
                return false
            }
        }
        return fitsForm(mutation, state, among: members)
    }

    /// Takes the creations that a mutation's record refers to, before it.
    private mutating func takeParents(
        of mutation: Mutation,
        _ path: [Mutation],
        _ transaction: borrowing WriteTransaction
    ) throws -> Bool {
        for parent in tables.parents(of: mutation.writtenFields, in: mutation.record.table)
        where parent != mutation.record {
            guard let state = try state(of: parent, transaction),
                state.version == RecordVersion(0), let position = state.mutations.first,
                let creation = try transaction.mutation(at: position)
            else { continue }
            dependencies[mutation.position, default: []].append(parent)
            if taken.contains(parent) { continue }
            if let start = path.firstIndex(where: { $0.record == parent }) {
                joinCircle(path[start...])
            } else if blocked.contains(parent) {
                return false
            } else if try !take(creation, path, transaction) {
                return false
            }
        }
        return true
    }

    /// Records that refer to each other go all together or not at all.
    private mutating func joinCircle(_ circle: ArraySlice<Mutation>) {
        guard let first = circle.first else { return }
        let group = first.group ?? first.key.text
        for member in circle where member.group == nil { cycles[member.position] = group }
    }

    private mutating func freeze(_ transaction: inout WriteTransaction) throws -> PushBatch {
        var batch = PushBatch(client: sender ?? client.client, state: client)
        for mutation in ordered() {
            let frozen = try freeze(mutation, into: &batch, &transaction)
            guard case .sent(_, _, let text) = frozen.state else { continue }
            let parents = dependencies[mutation.position] ?? []
            batch.operations.append(PushRequest.Operation(text: text, dependsOn: parents))
            batch.members.append(
                PushBatch.Member(
                    key: frozen.key,
                    position: frozen.position,
                    record: frozen.record,
                    group: frozen.group,
                    kind: frozen.change.kind,
                    sent: OutstandingMutation(frozen)
                )
            )
        }
        if !batch.frozen.isEmpty {
            try transaction.set(client)
            batch.state = client
        }
        return batch
    }

    private mutating func freeze(
        _ mutation: Mutation,
        into batch: inout PushBatch,
        _ transaction: inout WriteTransaction
    ) throws -> Mutation {
        var mutation = mutation
        if case .sent = mutation.state {
            guard configuration.faults.contains(.keyMintedOnSend) else { return mutation }
            mutation = mutation.thawed(as: mutation.key.varied(by: client.nextSequence))
        }
        if let frozen = mutation.frozen {
            mutation.state = .sent(
                client: frozen.client,
                sequence: frozen.sequence,
                text: frozen.text
            )
            mutation.frozen = nil
            try transaction.set(mutation, wasRefused: false)
            return mutation
        }
        mutation.group = mutation.group ?? cycles[mutation.position]
        let operation = operation(of: mutation)
        mutation.state = .sent(
            client: client.client,
            sequence: client.nextSequence,
            text: try operation.text()
        )
        client.nextSequence += 1
        try transaction.set(mutation, wasRefused: false)
        if let sent = OutstandingMutation(mutation) { batch.frozen.append(sent) }
        return mutation
    }

    /// The chosen mutations: deletions come after everything else, and what refers to a record goes
    /// before it.
    private func ordered() -> [Mutation] {
        guard chosen.contains(where: { $0.isDeletion && tables.depth(of: $0.record.table) > 0 })
        else { return chosen }
        let deletions = chosen.filter(\.isDeletion).enumerated().sorted { left, right in
            let depths = (
                tables.depth(of: left.element.record.table),
                tables.depth(of: right.element.record.table)
            )
            return (depths.0, left.offset) < (depths.1, right.offset)
        }
        return chosen.filter { !$0.isDeletion } + deletions.map(\.element)
    }
}

extension MutationKey {
    /// Another key of the same form: a mistake that is made on purpose.
    fileprivate func varied(by number: Int64) -> MutationKey {
        let digits = String(10_000 + number % 10_000)
        return MutationKey(text.dropLast(digits.utf8.count) + digits)
    }
}
