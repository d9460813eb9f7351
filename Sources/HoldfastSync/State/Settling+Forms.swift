import Holdfast

/// What comes from the server in another form than this app's.
extension Settling {
    /// A state of the server as it is to be kept here: in this app's form where it came in an older
    /// one.
    ///
    /// A record that a step cannot be run on stays as it came, and is noted: one record must not
    /// keep a page from being taken. One of a newer form stays as it came, too: the app will know
    /// it one day.
    func arrived(
        _ state: ServerState,
        of record: RecordReference,
        _ transaction: inout WriteTransaction
    ) throws -> ServerState {
        guard let object = state.object, let schema = tables.schema,
            state.form > 0, state.form < tables.form
        else { return state }
        var arrived = state
        do {
            arrived.object = try transaction.stepped(
                object,
                of: record.id,
                in: record.table,
                from: state.form,
                to: schema
            )
        } catch {
            arrived.isRaw = true
        }
        return arrived
    }

    /// Takes from an answer in what form the server has what stands here already.
    ///
    /// What this app has written whole is in its form. A server that says otherwise knows nothing of
    /// forms: it would be sent the whole record again and again.
    func learnForm(
        from result: PushResult,
        to mutation: Mutation,
        _ state: inout SyncRecord
    ) {
        guard result.form <= tables.form else { return }
        if mutation.change.isPut, mutation.schemaAsSent == tables.version {
            state.form = result.form == tables.form ? result.form : 0
            state.isRaw = false
        } else if state.form > 0, result.form > 0, !state.isRaw {
            state.form = result.form
        }
    }

    /// Whether the server has a state that only a newer version of the app can merge with what waits
    /// here.
    ///
    /// A deletion, and an action that guesses nothing, say nothing in any form: they are planned.
    func isAhead(_ state: SyncRecord, of mutations: [Mutation]) -> Bool {
        state.remote?.isAhead(of: tables.form) == true
            && mutations.contains(where: \.change.saysFields)
    }
}
