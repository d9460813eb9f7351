import Holdfast

extension Mutation {
    /// Who has to send it; `nil` where any client may.
    var sender: ClientID? {
        if case .sent(let client, _, _) = state { client } else { frozen?.client }
    }

    /// The version that it was sent on; `nil` for one that was sent without one or not at all.
    var sentBase: RecordVersion? {
        guard case .sent(_, _, let text) = state else { return nil }
        return (try? PushOperation(text: text))?.base
    }

    /// The version of the schema that wrote what was sent, or what is to be sent.
    var schemaAsSent: Int {
        guard case .sent(_, _, let text) = state else { return schema }
        return (try? PushOperation(text: text))?.schema ?? schema
    }

    /// Whether it was sent and its outcome is unknown.
    package var isSent: Bool { if case .sent = state { true } else { false } }

    /// Whether it is an action that was sent as one on this version.
    func wasCalled(on version: RecordVersion) -> Bool {
        guard change.isAction, case .sent(_, _, let text) = state else { return false }
        return (try? PushOperation(text: text))?.base == version
    }

    /// Whether it deletes its record.
    var isDeletion: Bool { change == .delete }

    /// The fields that it writes.
    var writtenFields: JSONObject {
        switch change {
        case .put(let object): object
        case .patch(let set, _): set
        case .action(_, _, let guess, _): guess
        case .delete, .delta: [:]
        }
    }

    /// About how many bytes it takes on the wire.
    var size: Int {
        if case .sent(_, _, let text) = state { return text.count }
        if let frozen { return frozen.text.count }
        return 256 + writtenFields.count * 64
    }

    /// The operation that it becomes on the wire.
    func operation(
        sequence: Int64,
        base: RecordVersion,
        form: Int,
        rules: SyncRules
    ) -> PushOperation {
        var operation = PushOperation(
            key: key,
            sequence: sequence,
            group: group,
            schema: schema,
            form: form,
            record: record,
            kind: change.kind,
            ledger: ledger.map { $0.of(form: form) }
        )
        operation.force = rules.force(of: self)
        operation.merge = rules.merge(of: self)
        operation.base =
            (change.hasBase || change.isAction) && base.number > 0 ? base : nil
        switch change {
        case .put(let object): operation.fields = object
        case .patch(let set, let unset):
            operation.fields = set
            operation.unset = unset.sorted()
        case .delete: break
        case .delta(let steps): operation.fields = steps
        case .action(let name, let arguments, _, _):
            operation.action = name
            operation.fields = arguments
        }
        return operation
    }
}

extension Mutation.Change {
    /// What it is on the wire.
    var kind: PushOperation.Kind {
        switch self {
        case .put: .put
        case .patch: .patch
        case .delete: .delete
        case .delta: .delta
        case .action: .action
        }
    }
}
