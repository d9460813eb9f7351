import Holdfast

extension LedgerEntry {
    /// The entry, with the form that its values are in where it does not say so.
    func of(form: Int) -> LedgerEntry {
        if self.form > 0 { return self }
        var entry = self
        entry.form = form
        return entry
    }

    /// The entry with its values in an app's form.
    ///
    /// Of one field that a step changes, what it said cannot be told without the others.
    ///
    /// - Throws: ``SyncError`` `.stale` where they cannot be brought there.
    func stepped(
        to schema: Schema?,
        _ transaction: inout WriteTransaction
    ) throws -> LedgerEntry {
        guard let schema, form > 0, form != schema.form else { return self }
        var entry = self
        do {
            guard form < schema.form else { throw OtherForm() }
            entry.discarded = try stepped(discarded, to: schema, &transaction)
            entry.kept = try stepped(kept, to: schema, &transaction)
        } catch {
            throw SyncError(
                .stale,
                "This was decided in a version of the app that says it in another form; edit the"
                    + " record where that is wanted.",
                table: record.table,
                id: record.id,
                field: field
            )
        }
        return entry
    }

    private struct OtherForm: Error {}

    private func stepped(
        _ value: JSONValue?,
        to schema: Schema,
        _ transaction: inout WriteTransaction
    ) throws -> JSONValue? {
        guard let value else { return nil }
        var object = JSONObject()
        if let field {
            object[field] = value
        } else if case .object(let whole) = value {
            object = whole
        }
        let stepped = try stepped(object, to: schema, &transaction)
        guard let field else { return .object(stepped) }
        var expected = try self.stepped(JSONObject(), to: schema, &transaction)
        expected[field] = value
        guard stepped == expected else { throw OtherForm() }
        return value
    }

    private func stepped(
        _ object: JSONObject,
        to schema: Schema,
        _ transaction: inout WriteTransaction
    ) throws -> JSONObject {
        try transaction.stepped(object, of: record.id, in: record.table, from: form, to: schema)
    }
}
