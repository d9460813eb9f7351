import Holdfast

/// The asking for changes: at most one request at a time, one scope after the other.
///
/// It goes in rounds. A whole one reads every history to its end; one of named scopes reads those
/// alone, where an answer or a hint has said that something happened.
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

    /// The reading of some histories to their ends.
    struct Round: Sendable {
        /// The scopes that are read; `nil` for every one that is followed.
        let scopes: Set<ScopeName>?
        /// When it began: from then on it wants its next request.
        let since: Duration
        /// What was acknowledged when it began.
        let awaited: [OutstandingMutation]
        /// The records that left a scope in it.
        var freshlyGone: Set<RecordReference> = []
        /// The scopes that could not be read in it: the others go on.
        var failed: Set<ScopeName> = []

        var isWhole: Bool { scopes == nil }
    }

    var flight: Flight?
    /// The round that is under way.
    private(set) var round: Round?
    /// When a whole round is to begin; `nil` when nothing asks for one.
    private var wholeAt: Duration?
    /// The scopes that something has named since they were last read.
    private var named: Set<ScopeName> = []
    /// When a round of the named scopes is to begin.
    private var namedAt: Duration?
    /// When a request may be tried again.
    var retryAt: Duration?
    var backoff: Backoff
    /// How slow the line has been.
    var slowness = Slowness()
    /// The scopes that are followed.
    var scopes: Set<ScopeName> = []
    /// The scopes whose history has been read to its end in this round.
    var finished: Set<ScopeName> = []
    /// The scopes that wait for somebody to confirm what would be removed.
    var stopped: [ScopeName: MassDelete] = [:]
    /// Whether every history was read to its end at least once.
    var hasReachedEnd = false
    /// How many pages in a row brought nothing and promised more.
    var emptyPages = 0
    /// How many mutations waited when the records that are followed no longer were last looked at.
    var pending: Int?

    init(_ configuration: SyncConfiguration) {
        backoff = Backoff(base: configuration.backoffBase, cap: configuration.backoffCap)
    }

    /// When changes are to be asked for; `nil` when nothing asks for it.
    var wantedAt: Duration? {
        if let round { return round.since }
        guard let wholeAt, let namedAt else { return wholeAt ?? namedAt }
        return min(wholeAt, namedAt)
    }

    /// The scopes of the round that is under way whose histories have not been read to their ends.
    var waiting: Set<ScopeName> {
        var waiting = scopes.subtracting(finished).subtracting(stopped.keys)
        if let round {
            waiting.subtract(round.failed)
            if let named = round.scopes { waiting.formIntersection(named) }
        }
        return waiting
    }

    /// Another history has begun, or another process has gone on with it: nothing of it has been
    /// read here.
    ///
    /// What is on its way was asked for before that: its answer is for nobody.
    mutating func beginHistory() {
        flight = nil
        finished = []
        stopped = [:]
        round = nil
        hasReachedEnd = false
    }

    /// Every history is to be read, at this time at the latest; in the course of a round, after it.
    mutating func want(at time: Duration) { wholeAt = min(wholeAt ?? time, time) }

    /// The histories of these scopes are to be read, at this time at the latest; in the course of a
    /// round, after it, since what is meant may lie behind what it has read.
    mutating func want(_ scopes: Set<ScopeName>, at time: Duration) {
        named.formUnion(scopes)
        namedAt = min(namedAt ?? time, time)
    }

    /// A round begins, unless one is under way: a whole one, when it is due.
    mutating func beginRound(at now: Duration, awaited: [OutstandingMutation]) {
        guard round == nil else { return }
        let isWhole = wholeAt.map { $0 <= now } ?? false
        round = Round(scopes: isWhole ? nil : named, since: now, awaited: awaited)
        if isWhole { wholeAt = nil }
        named = []
        namedAt = nil
    }

    /// Records have left a scope: another one, read before, may have got them since.
    mutating func lookAgain(for records: [RecordReference], at now: Duration) {
        guard !records.isEmpty else { return }
        round?.freshlyGone.formUnion(records)
        want(at: now)
    }

    /// A scope could not be read: the round goes on without it.
    mutating func passOver(_ scope: ScopeName) { round?.failed.insert(scope) }

    /// The round has come to its end.
    mutating func endRound() -> Round? {
        defer { round = nil }
        finished = []
        return round
    }

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
