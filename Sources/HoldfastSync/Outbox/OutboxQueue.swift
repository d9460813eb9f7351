import Holdfast

/// The end of the outbox while one transaction adds to it.
struct OutboxQueue {
    private var position: Mutation.Position
    private(set) var group: OutboxGroup?
    private let schema: Int
    /// The groups of mutations that the server had refused until now.
    private var thawedGroups: [Mutation.Position: String] = [:]

    init(position: Mutation.Position, group: OutboxGroup?, schema: Int) {
        self.position = position
        self.group = group
        self.schema = schema
    }

    /// Queues what a write was.
    mutating func add(
        _ write: RecordedWrite,
        _ rules: SyncRules,
        _ transaction: inout WriteTransaction
    ) throws {
        let record = RecordReference(write.table, write.id)
        let before = try write.before.map { try Document.decode($0) }
        let after = try write.after.map { try Document.decode($0) }
        var state = try transaction.syncRecord(record) ?? SyncRecord()
        let isUnknown = state.isClean && state.isDeleted
        // A record that no server and no mutation knows is new to both, whatever stood here.
        var changes: [Mutation.Change] = []
        if isUnknown, let before, write.intent != nil, rules.kind != .serverAuthoritative {
            changes.append(.put(before))
        }
        let known = isUnknown && changes.isEmpty ? nil : before
        changes += self.changes(of: write.intent, from: known, to: after, rules)
        if changes.isEmpty { return }
        if rules.faults.contains(.editComparedWithBase), !state.isClean, after == state.base {
            return
        }
        try check(changes, of: record, rules)
        if state.isClean, !state.isDeleted { state.base = before }
        for (place, name) in try transaction.thaw(state) { thawedGroups[place] = name }
        for change in changes { try queue(change, of: record, &state, &transaction) }
        try store(state, of: record, &transaction)
    }

    private func changes(
        of intent: (any RecordedIntent)?,
        from before: JSONObject?,
        to after: JSONObject?,
        _ rules: SyncRules
    ) -> [Mutation.Change] {
        switch intent as? MutationIntent {
        case nil: return Mutation.Change.differences(from: before, to: after, rules: rules)
        case .delta(let steps): return [.delta(steps)]
        case .action(let name, let arguments):
            let guess = before.map {
                Mutation.Change.patch(from: $0, to: after ?? $0, rules: rules)
            }
            return [
                .action(
                    name: name,
                    arguments: arguments,
                    guess: guess?.set ?? after ?? [:],
                    unset: guess?.unset ?? []
                )
            ]
        }
    }

    private func check(
        _ changes: [Mutation.Change],
        of record: RecordReference,
        _ rules: SyncRules
    ) throws {
        for change in changes {
            switch (rules.kind, change) {
            case (.mutable, _), (_, .action), (.immutable, .put), (.immutable, .delete): break
            case (.immutable, _): throw SyncError.immutable(record)
            case (.serverAuthoritative, _): throw SyncError.serverAuthoritative(record)
            }
        }
    }

    private mutating func queue(
        _ change: Mutation.Change,
        of record: RecordReference,
        _ state: inout SyncRecord,
        _ transaction: inout WriteTransaction
    ) throws {
        let id = transaction.mintID()
        var mutation = Mutation(
            position: position,
            key: MutationKey(id.text),
            record: record,
            change: change
        )
        mutation.schema = schema
        mutation.created = id.milliseconds
        mutation.group = group?.name
        try group?.add(mutation)
        guard let last = try tail(of: state, transaction) else {
            return try append(mutation, &state, &transaction)
        }
        switch try join(last, mutation, state, transaction) {
        case .both: try append(mutation, &state, &transaction)
        case .one(let one): try transaction.set(one)
        case .nothing:
            try transaction.remove(last)
            state.mutations.removeLast()
        }
    }

    private mutating func append(
        _ mutation: Mutation,
        _ state: inout SyncRecord,
        _ transaction: inout WriteTransaction
    ) throws {
        try transaction.set(mutation)
        state.mutations.append(mutation.position)
        position.place += 1
    }

    /// The record's last mutation.
    private func tail(
        of state: SyncRecord,
        _ transaction: borrowing WriteTransaction
    ) throws -> Mutation? {
        try state.mutations.last.flatMap { try transaction.mutation(at: $0) }
    }

    /// What a record's last mutation and a new one are together.
    private func join(
        _ last: Mutation,
        _ new: Mutation,
        _ state: SyncRecord,
        _ transaction: borrowing WriteTransaction
    ) throws -> Mutation.Coalesced {
        var wasThere = true
        if case .put = last.change {
            let earlier = try transaction.mutations(of: state).dropLast()
            // It may still have to go before what is on its way, which the new one must not.
            if earlier.contains(where: \.isUnknown) { return .both }
            wasThere = earlier.applied(to: state.isDeleted ? nil : state.base) != nil
        }
        // A member of a group that the server refused is corrected in its place.
        guard let name = thawedGroups[last.position] else {
            return Mutation.coalesce(last, with: new, wasThere: wasThere)
        }
        var alone = last
        alone.group = nil
        guard case .one(var one) = Mutation.coalesce(alone, with: new, wasThere: wasThere) else {
            return .both
        }
        one.group = name
        return .one(one)
    }

    private func store(
        _ state: SyncRecord,
        of record: RecordReference,
        _ transaction: inout WriteTransaction
    ) throws {
        var state = state
        if state.isClean { state.base = nil }
        if state.isClean, state.version == RecordVersion(0) {
            try transaction.removeSyncRecord(record)
        } else {
            try transaction.set(state, of: record)
        }
    }
}

extension RecordID {
    /// When a time-ordered id was minted, in milliseconds since 1970; 0 for any other id.
    fileprivate var milliseconds: Int64 {
        let text = text.utf8
        guard text.count == 36 else { return 0 }
        var milliseconds: Int64 = 0
        for byte in text.prefix(13) where byte != UInt8(ascii: "-") {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                milliseconds = milliseconds << 4 | Int64(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"):
                milliseconds = milliseconds << 4 | Int64(byte - UInt8(ascii: "a") + 10)
            default: return 0
            }
        }
        return milliseconds
    }
}
