import Holdfast

/// What has to happen next to a record: a pure function of its three sides.
///
/// - While the outcome of a mutation that was sent is unknown, nothing is planned: the server's state
///   may contain it, and a plan made now would send it once more over what others did since.
/// - A state that is not newer than the base is no news; but `remote` without a version, where the
///   base has one, says that the record's tombstone was purged.
/// - Planning what a rebase leaves gives `send` or `idle`.
///
/// - Parameters:
///   - record: The record.
///   - base: The last state that both sides agreed on.
///   - mutations: The record's mutations, in their order.
///   - remote: The newest state of the server that was seen beyond the base.
///   - rules: The table's rules.
///   - isOutcomeUnknown: Whether a mutation may have been applied; by default, whether one is sent.
/// - Returns: What to do; the same for the same sides.
package func plan(
    _ record: RecordReference,
    base: ServerState,
    mutations: [Mutation],
    remote: ServerState?,
    rules: SyncRules,
    isOutcomeUnknown: Bool? = nil
) -> SyncPlan {
    let news = remote.flatMap { $0.isNews(after: base) ? $0 : nil }
    if mutations.isEmpty { return news.map(SyncPlan.accept) ?? .idle }
    let sent = mutations.firstIndex { if case .sent = $0.state { true } else { false } }
    if isOutcomeUnknown ?? (sent != nil) { return .wait(mutations[sent ?? 0].key) }
    guard let news else {
        if mutations[0].needsAttention { return .idle }
        guard mutations[0].wasInVain(on: base) else { return .send }
        var rebasing = Rebasing(record, base: base, mutations, remote: base, rules: rules)
        rebasing.refuseActions()
        return .rebase(rebasing.result)
    }
    var rebasing = Rebasing(record, base: base, mutations, remote: news, rules: rules)
    return rebasing.plan()
}

/// What becomes of a record that waits for the app (`ask`), once the app has decided.
///
/// - Parameters:
///   - record: The record.
///   - base: The last state that both sides agreed on.
///   - mutations: The record's mutations, in their order, none of them sent.
///   - remote: The newest state of the server; the base where there is none beyond it.
///   - rules: The table's rules.
///   - choice: The version that stays where both sides changed a field.
/// - Returns: The record's new sides; the version that does not stay is in the ledger.
package func resolve(
    _ record: RecordReference,
    base: ServerState,
    mutations: [Mutation],
    remote: ServerState,
    rules: SyncRules,
    choosing choice: ConflictChoice
) -> Rebase {
    var rebasing = Rebasing(record, base: base, mutations, remote: remote, rules: rules)
    rebasing.choice = choice
    guard remote.isNews(after: base) else { return rebasing.result }
    if case .rebase(let rebase) = rebasing.plan() { return rebase }
    return rebasing.result
}

extension ServerState {
    fileprivate func isNews(after base: ServerState) -> Bool {
        version > base.version || version.number == 0 && object == nil && base.version.number > 0
    }
}

extension Mutation {
    /// Whether the server refused it.
    package var needsAttention: Bool { if case .attention = state { true } else { false } }

    /// Whether it is an action that met the very tombstone which is known here.
    fileprivate func wasInVain(on base: ServerState) -> Bool {
        change.isAction && conflicts > 0 && base.object == nil && base.version.number > 0
    }
}

extension SyncRules {
    /// Whether a deletion wins over an edit.
    package var deletionWins: Bool { kind != .mutable || deletes == .deleteWins }
}
