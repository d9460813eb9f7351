import Holdfast

/// What is sent about a record that the server has in an older form than this app's.
///
/// Fields of the new form beside those of the old one would make a record that no version of the app
/// can read: such a record is sent whole.
extension BatchSelection {
    /// Whether a mutation can be sent as the server has its record.
    ///
    /// A step of a counter is no state: what it is added to is brought to this app's form before. So
    /// is what a handler of the server is called on, where a patch follows in the same group: made
    /// whole behind it, the patch would take back what the handler did.
    mutating func fitsForm(
        _ mutation: Mutation,
        _ state: SyncRecord,
        among members: [Mutation]
    ) -> Bool {
        guard state.isOlder(than: tables.form), !mutation.isUnknown, mutation.frozen == nil else {
            return true
        }
        let before = members.prefix { $0.position != mutation.position }.filter {
            $0.record == mutation.record
        }
        let needsForm =
            switch mutation.change {
            case .delta: true
            case .patch: before.contains(where: \.change.isAction)
            case .put, .delete, .action: false
            }
        if !needsForm || before.contains(where: \.change.isEdit) { return true }
        let first = before.first ?? mutation
        if !untranslated.contains(where: { $0.position == first.position }) {
            untranslated.append(first)
        }
        return false
    }

    /// The operation that a mutation becomes on the wire.
    mutating func operation(of mutation: Mutation) -> PushOperation {
        let record = mutation.record
        var mutation = mutation
        let state = states[record]
        var form = tables.form
        if let state {
            if state.isOlder(than: form), !translated.contains(record) {
                mutation.change = mutation.change.whole(on: state.base)
                if mutation.change.isPut { translated.insert(record) }
            }
            // What is put again as it was read is in the form that it was read in.
            if mutation.isRemade, mutation.change.isPut { form = max(form, state.form) }
        }
        return mutation.operation(
            sequence: client.nextSequence,
            base: state?.version ?? RecordVersion(0),
            form: form,
            rules: tables[record.table]
        )
    }
}

extension Mutation.Change {
    /// A patch as a put of what it makes of a record.
    fileprivate func whole(on base: JSONObject?) -> Self {
        guard case .patch = self, isEdit, let base, let whole = applied(to: base) else {
            return self
        }
        return .put(whole)
    }
}

extension WriteTransaction {
    /// Queues a record as both sides have it, in this app's form, before what is added to it.
    ///
    /// One that no step could bring there waits for a version of the app whose steps can.
    mutating func translate(before mutation: Mutation, _ tables: SyncedTables) throws {
        let record = mutation.record
        guard var state = try syncRecord(record), let base = state.base,
            let place = state.mutations.firstIndex(of: mutation.position)
        else { return }
        if state.isRaw { return try refuse(mutation, for: .unreadableForm) }
        var translation = Mutation(
            position: try nextPosition(),
            key: MutationKey(mintID().text),
            record: record,
            change: .put(base)
        )
        translation.schema = tables.version
        translation.created = mutation.created
        try set(translation)
        state.mutations.insert(translation.position, at: place)
        try set(state, of: record)
    }

    /// Shows that a mutation cannot be sent by this version of the app.
    mutating func refuse(_ mutation: Mutation, for problem: SyncProblem) throws {
        var refused = mutation
        refused.state = .attention(problem)
        try set(refused)
    }
}
