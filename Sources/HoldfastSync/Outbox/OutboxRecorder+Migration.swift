import Holdfast
import HoldfastStorage

extension OutboxRecorder {
    /// Brings what is kept of a record's other states to another representation: the base, the
    /// server's newer state, and what the mutations that lead from the base to the record change.
    ///
    /// What was sent stays as it is on the wire; a put, a patch and a guess say the same here in
    /// the new form.
    func migrate(
        _ state: SyncRecord,
        to form: Int,
        _ rules: SyncRules,
        _ transaction: inout WriteTransaction,
        _ body: (inout JSONObject, inout WriteTransaction) throws -> Void
    ) throws -> SyncRecord {
        var migrated = state
        var old = state.isDeleted ? nil : state.base
        var new = try Self.transformed(old, &transaction, body)
        migrated.base = new
        if let remote = state.remote, !remote.state.isRaw, remote.state.form < form {
            let object = try Self.transformed(remote.state.object, &transaction, body)
            migrated.remote?.state.object = object
        }
        for mutation in try transaction.mutations(of: state) {
            old = mutation.change.applied(to: old)
            let after = try Self.transformed(old, &transaction, body)
            var mutation = mutation
            mutation.change = mutation.change.leading(from: new, to: after, rules)
            mutation.schema = version
            // What was discarded stays as it was.
            mutation.ledger = mutation.ledger.map { $0.of(form: self.form(before: form)) }
            try transaction.set(mutation)
            new = mutation.change.applied(to: new)
        }
        return migrated
    }

    /// Brings what waits on a base that came in the step's form, or a newer one, to that form.
    ///
    /// An older version of the app wrote it beside fields that it did not know: the step is run on
    /// what was written alone. What cannot be said in the new form stays as it is, for somebody to
    /// look at.
    func rewrite(
        _ state: SyncRecord,
        of record: RecordReference,
        to form: Int,
        _ rules: SyncRules,
        _ transaction: inout WriteTransaction,
        _ body: (inout JSONObject, inout WriteTransaction) throws -> Void
    ) throws {
        var object = state.isDeleted ? nil : state.base
        for var mutation in try transaction.mutations(of: state) {
            if !state.isRaw {
                let change = mutation.change
                let stepped = try? transaction.attempt { transaction in
                    try Self.stepped(change, of: record, rules, &transaction, body)
                }
                if let stepped = stepped ?? nil {
                    mutation.change = stepped
                    mutation.schema = version
                } else if !mutation.isSent {
                    // In this form it would be another change than was made. What was sent is
                    // looked at when its answer has come.
                    mutation.state = .attention(.notStepped)
                    mutation.schema = version
                }
            }
            // What was discarded stays as it was.
            mutation.ledger = mutation.ledger.map { $0.of(form: self.form(before: form)) }
            try transaction.set(mutation)
            object = mutation.change.applied(to: object)
        }
        if let object { try transaction.putDocument(object, of: record.id, in: record.table) }
    }

    /// A change as a step says it; `nil` where it cannot.
    private static func stepped(
        _ change: Mutation.Change,
        of record: RecordReference,
        _ rules: SyncRules,
        _ transaction: inout WriteTransaction,
        _ body: (inout JSONObject, inout WriteTransaction) throws -> Void
    ) throws -> Mutation.Change? {
        switch change {
        case .delete: return change
        case .put(let object):
            return try transformed(object, &transaction, body).map { .put($0) }
        case .patch(let set, let unset):
            let stepped = try stepped(set, of: record, rules, &transaction, body)
            return .patch(set: stepped, unset: unset)
        case .delta(let steps):
            let stepped = try stepped(steps, of: record, rules, &transaction, body)
            let counts = stepped.allSatisfy { JSONValue.step(from: nil, to: $0.value) != nil }
            return counts && !stepped.isEmpty ? .delta(stepped) : nil
        case .action(let name, let arguments, let guess, let unset):
            if guess.isEmpty, unset.isEmpty { return change }
            let stepped = try stepped(guess, of: record, rules, &transaction, body)
            return .action(name: name, arguments: arguments, guess: stepped, unset: unset)
        }
    }

    /// What a step makes of these fields, and would not make of none.
    private static func stepped(
        _ fields: JSONObject,
        of record: RecordReference,
        _ rules: SyncRules,
        _ transaction: inout WriteTransaction,
        _ body: (inout JSONObject, inout WriteTransaction) throws -> Void
    ) throws -> JSONObject {
        let none: JSONObject = [rules.idField: .string(record.id.text)]
        var (alone, written) = (none, none)
        for (name, value) in fields { written[name] = value }
        try body(&written, &transaction)
        try body(&alone, &transaction)
        var stepped = JSONObject()
        for (name, value) in written where alone[name] != value { stepped[name] = value }
        return stepped
    }

    private static func transformed(
        _ object: JSONObject?,
        _ transaction: inout WriteTransaction,
        _ body: (inout JSONObject, inout WriteTransaction) throws -> Void
    ) throws -> JSONObject? {
        guard var object else { return nil }
        try body(&object, &transaction)
        return object
    }
}

extension Mutation.Change {
    /// A change of the same kind that leads from one state to another.
    fileprivate func leading(
        from before: JSONObject?,
        to after: JSONObject?,
        _ rules: SyncRules
    ) -> Self {
        guard let after else { return self }
        switch self {
        case .put: return .put(after)
        case .delete: return self
        case .patch:
            guard let before else { return self }
            let patch = Self.patch(from: before, to: after, rules: rules)
            return .patch(set: patch.set, unset: patch.unset)
        case .delta:
            guard let before else { return self }
            var steps = JSONObject()
            for (name, value) in after where before[name] != value {
                guard let step = JSONValue.step(from: before[name], to: value) else {
                    // It counts no longer: what it came to is a value.
                    let patch = Self.patch(from: before, to: after, rules: SyncRules())
                    return .patch(set: patch.set, unset: patch.unset)
                }
                steps[name] = step
            }
            return .delta(steps)
        case .action(let name, let arguments, let guess, let unset):
            guard let before else {
                return .action(name: name, arguments: arguments, guess: after, unset: [])
            }
            if guess.isEmpty, unset.isEmpty { return self }
            let patch = Self.patch(from: before, to: after, rules: rules)
            return .action(
                name: name,
                arguments: arguments,
                guess: patch.set,
                unset: patch.unset
            )
        }
    }
}

extension WriteTransaction {
    /// The records of a table of which more is kept than themselves.
    func pendingRecords(of table: TableName) throws -> [RecordReference] {
        var records: [RecordReference] = []
        try scanSystem(SyncKey.records(of: table)) { key, value in
            if let record = SyncKey.record(of: key), try !SyncRecord(value).isClean {
                records.append(record)
            }
            return true
        }
        return records
    }
}
