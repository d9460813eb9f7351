import Holdfast

/// The asking for changes: at most one request at a time, one scope after the other.
struct PullLane: Sendable {
    /// A request whose answer has not come.
    struct Flight: Sendable {
        let number: SyncMachine.RequestNumber
        let since: Duration
        let scope: ScopeName
        /// The position that it was asked with.
        let cursor: SyncCursor?
        let isSnapshot: Bool
        let limit: Int
    }

    var flight: Flight?
    /// When changes are to be asked for; `nil` when nothing asks for it.
    var wantedAt: Duration?
    /// When a request may be tried again.
    var retryAt: Duration?
    var backoff: Backoff
    /// The scopes that are followed.
    var scopes: Set<ScopeName> = []
    /// The scopes whose history has been read to its end in this round.
    var finished: Set<ScopeName> = []
    /// The scopes that wait for somebody to confirm what would be removed.
    var stopped: [ScopeName: MassDelete] = [:]
    /// Whether every history was read to its end at least once.
    var hasReachedEnd = false
    /// Whether something asked for changes while a round was under way.
    var isWantedAgain = false
    /// How many pages in a row brought nothing and promised more.
    var emptyPages = 0
    /// Whether a round is under way: some histories have been asked for, and not all read to their
    /// end.
    var isInRound = false
    /// What was acknowledged when the round began.
    var awaited: [OutstandingMutation] = []
    /// The records that left a scope in this round.
    var freshlyGone: Set<RecordReference> = []
    /// How many mutations waited when the records that are followed no longer were last looked at.
    var pending: Int?
    /// How many rounds have been completed.
    var rounds = 0

    init(_ configuration: SyncConfiguration) {
        backoff = Backoff(base: configuration.backoffBase, cap: configuration.backoffCap)
    }

    /// Another history has begun, or another process has gone on with it: nothing of it has been
    /// read here.
    mutating func beginHistory() {
        finished = []
        stopped = [:]
        awaited = []
        freshlyGone = []
        isInRound = false
        hasReachedEnd = false
    }

    /// Changes are to be asked for, at this time at the latest; in the course of a round, once more
    /// after it.
    mutating func want(at time: Duration) {
        if isInRound { isWantedAgain = true } else { goOn(at: time) }
    }

    /// Records have left a scope: another one, read before, may have got them since.
    mutating func lookAgain(for records: [RecordReference]) {
        guard !records.isEmpty else { return }
        freshlyGone.formUnion(records)
        isWantedAgain = true
    }

    /// The round goes on.
    mutating func goOn(at time: Duration) { wantedAt = min(wantedAt ?? time, time) }

    /// Whatever made it wait is over.
    mutating func retryNow() {
        backoff.succeed()
        retryAt = nil
    }

    /// When the next request is due; `nil` when none is.
    func dueAt(after network: Duration?) -> Duration? {
        guard flight == nil, let wantedAt else { return nil }
        return max(wantedAt, retryAt ?? wantedAt, network ?? wantedAt)
    }
}
