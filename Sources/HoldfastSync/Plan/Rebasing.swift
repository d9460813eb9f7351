import Holdfast

/// The work of putting a record's mutations on a newer state of the server.
struct Rebasing {
    let record: RecordReference
    let base: ServerState
    let remote: ServerState
    let rules: SyncRules
    /// Whether the record was on the server before it lost a part of its history.
    let isPutAgain: Bool
    /// The app's answer where a policy asks; `nil` before it gave one.
    var choice: ConflictChoice?
    /// The mutations that remain, in their order.
    var mutations: [Mutation]
    /// What they discard, by this decision and by earlier ones.
    var discards: [LedgerEntry] = []
    var copies: [Rebase.Copy] = []

    init(
        _ record: RecordReference,
        base: ServerState,
        _ mutations: [Mutation],
        remote: ServerState,
        rules: SyncRules
    ) {
        self.record = record
        self.base = base
        self.remote = remote
        self.rules = rules
        isPutAgain = base.object == nil && mutations.contains(where: \.isRemade)
        self.mutations = mutations.map { mutation in
            guard mutation.isFromBackup else { return mutation }
            var mutation = mutation
            mutation.isFromBackup = false
            mutation.doubt()
            return mutation
        }
    }

    mutating func plan() -> SyncPlan {
        if isUnchanged { return .rebase(result) }
        guard let theirs = remote.object else {
            meetDeletion()
            return .rebase(result)
        }
        if rules.kind != .mutable {
            meetState(theirs)
            return .rebase(result)
        }
        if mutations.last(where: \.change.hasBase)?.change == .delete {
            guard !rules.deletionWins else {
                mergeBeforeDeletion(with: theirs)
                deleteAnyway(theirs)
                return .rebase(result)
            }
            giveUpDeletion(theirs)
        }
        let asking = mergeFields(with: theirs)
        return asking.isEmpty ? .rebase(result) : .ask(fields: asking)
    }

    /// Whether only the version is news; that a record never was here says nothing of a deletion.
    private var isUnchanged: Bool {
        remote.object == base.object && (base.object != nil || base.version.number > 0)
    }

    /// What remains on the new base, each entry with the mutation that discards.
    var result: Rebase {
        var (remaining, unclaimed) = claimed()
        for index in remaining.indices {
            if case .sent = remaining[index].state { remaining[index].state = .queued }
        }
        let local = remaining.applied(to: remote.object)
        var rebase = Rebase(base: remote, mutations: remaining, local: local)
        rebase.copies = copies
        rebase.unclaimed = unclaimed
        return rebase
    }
}
