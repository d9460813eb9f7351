import Holdfast
import HoldfastSync

/// One mutation, applied as far as rules, hooks and the records that it refers to allow.
struct OperationEvaluation {
    let context: PushContext
    let incoming: IncomingOperation
    /// What was there before its group, if it belongs to one: the records that it refers to are looked
    /// for later, when all of the group is there.
    let before: PendingEdit?

    private var isGrouped: Bool { before != nil }
    private var operation: PushOperation { incoming.operation }
    private var server: SyncServer { context.server }

    /// Applies it, or says why not.
    func run(in transaction: inout ServerTransaction) throws -> PushResult {
        var result = try evaluate(in: &transaction)
        if result.version != nil {
            let slot = try transaction.slot(of: operation.record)
            result.scope = slot.metadata?.scope
            result.form = slot.form
        }
        return result
    }

    private func evaluate(in transaction: inout ServerTransaction) throws -> PushResult {
        let slot = try transaction.slot(of: operation.record)
        if let problem = accessProblem(to: slot) {
            return .rejected(operation.key, problem)
        }
        if !operation.ledger.allSatisfy(\.fits) {
            return .rejected(
                operation.key,
                .invalid("What is discarded is nested too deep.")
            )
        }
        let translated: PushOperation
        do throws(SyncProblem) {
            translated = try self.translated(over: slot, in: &transaction)
        } catch {
            return .rejected(operation.key, error)
        }
        let rules = try rules(translated, slot, &transaction)
        var verdict = rules.verdict
        // What an older app made and sends again has been stepped, and is the same all the same.
        if slot.object != nil, let again = try? stepped(in: &transaction),
            case .noop = try self.rules(again, slot, &transaction).verdict
        {
            verdict = .noop
        }
        switch verdict {
        case .noop:
            try storeLedger([], over: slot, in: &transaction)
            return PushResult(
                key: operation.key,
                status: .noop,
                version: slot.metadata?.version,
                isTombstone: slot.isTombstone
            )
        case .conflict(let problem): return .conflict(operation.key, with: slot, problem)
        case .reject(let problem): return .rejected(operation.key, problem)
        case .write(let writing):
            switch server.formProblem(of: translated, over: slot) {
            case .older: return .rejected(operation.key, .olderForm)
            case .newer: return .conflict(operation.key, with: slot)
            case nil: break
            }
            return try write(
                writing,
                over: slot,
                isAsSent: slot.version == rules.origin.version && translated == operation,
                in: &transaction
            )
        case .delete(let overwritten):
            let version = try transaction.remove(operation.record)
            try storeLedger(overwritten, over: slot, in: &transaction)
            return PushResult(
                key: operation.key,
                status: .applied,
                version: version,
                isTombstone: true
            )
        case .call(let isMerged):
            return try call(over: slot, isMerged: isMerged, in: &transaction)
        }
    }

    /// The mutation as it would be in the server's form.
    ///
    /// A record that an older app makes is stepped as the server's own were. Of one that is there
    /// the app may know more than its form has room for.
    private func translated(
        over slot: RecordSlot,
        in transaction: inout ServerTransaction
    ) throws(SyncProblem) -> PushOperation {
        guard slot.metadata == nil else { return operation }
        do {
            return try stepped(in: &transaction) ?? operation
        } catch {
            throw .invalid("The record cannot be brought to the server's form.")
        }
    }

    /// A creation by an older app as the server's steps make it; `nil` where it is none.
    private func stepped(in transaction: inout ServerTransaction) throws -> PushOperation? {
        guard let schema = server.store.schema, operation.form > 0,
            operation.form < schema.form, operation.kind == .put, operation.base == nil
        else { return nil }
        var stepped = operation
        stepped.form = schema.form
        stepped.fields = try transaction.transaction.stepped(
            operation.fields,
            of: operation.record.id,
            in: operation.record.table,
            from: operation.form,
            to: schema
        )
        return stepped
    }

    private func rules(
        _ operation: PushOperation,
        _ slot: RecordSlot,
        _ transaction: inout ServerTransaction
    ) throws -> OperationRules {
        OperationRules(
            operation: operation,
            slot: slot,
            origin: try origin(of: slot, in: transaction),
            idField: try transaction.idField(of: operation.record.table),
            dataset: transaction.known
        )
    }

    /// The record before the mutation's group.
    private func origin(
        of slot: RecordSlot,
        in transaction: borrowing ServerTransaction
    ) throws -> RecordSlot {
        guard let before, slot.isChanged else { return slot }
        let record = operation.record
        return try before.slots[record] ?? transaction.storedSlot(of: record)
    }

    /// Whether the principal may touch the record at all.
    private func accessProblem(to slot: RecordSlot) -> SyncProblem? {
        if let scope = slot.metadata?.scope, !context.visible.contains(scope) {
            return Self.forbidden
        }
        return server.configuration.authorize(context.principal, operation, slot.object)
    }

    private static let forbidden = SyncProblem(
        type: ProblemType.forbidden,
        detail: "The record is in a scope that is not yours."
    )

    // MARK: Writing

    private func write(
        _ writing: Writing,
        over slot: RecordSlot,
        isAsSent: Bool,
        in transaction: inout ServerTransaction
    ) throws -> PushResult {
        let record = operation.record
        var object = writing.object
        if let problem = server.configuration.validate(record, &object, context.principal) {
            return .rejected(operation.key, problem)
        }
        if !object.fitsLedger {
            return .rejected(operation.key, .invalid("The record is nested too deep."))
        }
        let scope = try server.configuration.checkedScope(record, object, context.principal)
        guard context.visible.contains(scope) else {
            return .rejected(operation.key, Self.forbidden)
        }
        if !isGrouped,
            let failure = try parentFailure(of: object, over: slot.object, in: &transaction)
        {
            return failure.result(operation.key, slot)
        }
        if let problem = server.configuration.quota(context.principal, record, object) {
            return .deferred(operation.key, problem)
        }
        let touched = writing.touched.and(object, insteadOf: writing.object)
        let version = try transaction.write(
            object,
            of: record,
            touched,
            scope: scope,
            form: operation.form
        )
        try storeLedger(writing.overwritten, over: slot, in: &transaction)
        let differs =
            writing.isMerged || operation.kind == .delta || object != writing.object || !isAsSent
        return PushResult(
            key: operation.key,
            status: writing.isMerged ? .merged : .applied,
            version: version,
            record: differs ? object : nil
        )
    }

    // MARK: Parents

    /// Why a mutation fails that refers to a record which is not there.
    enum ParentFailure {
        case missing
        case deleted

        /// The mutation's result, with its record as it stands.
        func result(_ key: MutationKey, _ slot: RecordSlot) -> PushResult {
            switch self {
            case .missing: .deferred(key, missingParent)
            case .deleted: .conflict(key, with: slot, parentDeleted)
            }
        }
    }

    /// Whether the record, as the mutation has left it, refers to one that is not there.
    func parentFailure(
        over old: JSONObject?,
        in transaction: inout ServerTransaction
    ) throws -> ParentFailure? {
        guard let object = try transaction.slot(of: operation.record).object else {
            return nil
        }
        return try parentFailure(of: object, over: old, in: &transaction)
    }

    private func parentFailure(
        of object: JSONObject,
        over old: JSONObject?,
        in transaction: inout ServerTransaction
    ) throws -> ParentFailure? {
        let parents = server.parents.parents(
            of: object,
            in: operation.record.table,
            besides: old
        )
        for parent in parents where parent != operation.record {
            let slot = try transaction.slot(of: parent)
            if slot.object != nil { continue }
            let isGone = slot.isTombstone || isPurged(parent, transaction.dataset)
            return isGone ? .deleted : .missing
        }
        return nil
    }

    /// Whether a record that is not here was, as far as can be told: the client has seen it, and
    /// does not wait for its creation.
    private func isPurged(_ parent: RecordReference, _ dataset: DatasetRecord) -> Bool {
        dataset.floor > dataset.epochStart && !incoming.dependsOn.contains(parent)
    }

    private static let missingParent = SyncProblem(
        type: ProblemType.missingParent,
        detail: "A record that this one refers to is not there yet."
    )

    private static let parentDeleted = SyncProblem(
        type: ProblemType.parentDeleted,
        detail: "A record that this one refers to is deleted."
    )

    // MARK: Actions

    private func call(
        over slot: RecordSlot,
        isMerged: Bool,
        in transaction: inout ServerTransaction
    ) throws -> PushResult {
        guard let name = operation.action, let handler = server.configuration.actions[name]
        else {
            return .rejected(
                operation.key,
                SyncProblem(
                    type: ProblemType.unknownAction,
                    detail: "The server has no action of this name."
                )
            )
        }
        let before = transaction.edit
        let call = ActionCall(
            name: name,
            arguments: operation.fields,
            record: operation.record,
            principal: context.principal,
            client: context.client,
            key: operation.key,
            form: operation.form
        )
        do {
            try handler(call, &transaction)
        } catch let problem as SyncProblem {
            transaction.edit = before
            return .rejected(operation.key, problem)
        }
        try storeLedger([], over: slot, in: &transaction)
        let after = try transaction.slot(of: operation.record)
        // Nothing of its own record would ever tell the client that other records changed.
        let isElsewhere = after.metadata?.version == slot.metadata?.version
        return PushResult(
            key: operation.key,
            status: isElsewhere ? .noop : isMerged ? .merged : .applied,
            version: after.metadata?.version,
            record: after.object,
            isTombstone: after.isTombstone
        )
    }

    // MARK: Ledger

    /// Stores what the mutation says that it discards, and what it discards without saying so.
    private func storeLedger(
        _ overwritten: [Overwritten],
        over slot: RecordSlot,
        in transaction: inout ServerTransaction
    ) throws {
        if overwritten.isEmpty, operation.ledger.isEmpty { return }
        let writer = LedgerWriter(
            operation: operation,
            client: context.client,
            visible: context.visible,
            slot: slot
        )
        try writer.store(overwritten, in: &transaction)
    }
}

extension Touched {
    /// These fields, and those that a correction has changed as well.
    fileprivate func and(_ corrected: JSONObject, insteadOf object: JSONObject) -> Touched {
        guard case .fields(let names) = self, corrected != object else { return self }
        let changed = corrected.filter { object[$0.name] != $0.value }.map(\.name)
        let removed = object.filter { corrected[$0.name] == nil }.map(\.name)
        return .fields(names.union(changed + removed))
    }
}
