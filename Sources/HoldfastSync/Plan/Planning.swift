import Holdfast

/// What has to happen next to a record.
package func plan(
    _ record: RecordReference,
    base: ServerState,
    mutations: [Mutation],
    remote: ServerState?,
    rules: SyncRules,
    isOutcomeUnknown: Bool? = nil
) -> SyncPlan {
    guard let remote, remote.version > base.version else { return .send }
    if let sent = mutations.first(where: \.isSent) { return .wait(sent.key) }
    return .accept(remote)
}
