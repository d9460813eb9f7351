import Holdfast

/// What waits for reasons of its own, while everything else goes on.
struct PushDelays: Sendable {
    private var until: [RecordReference: Duration] = [:]
    private var groups: [String: Duration] = [:]
    private var backoffs: [RecordReference: Backoff] = [:]

    /// Puts a record off, and the group that its mutation belongs to.
    mutating func delay(
        _ record: RecordReference,
        group: String?,
        from now: Duration,
        retryAfter: Duration? = nil,
        _ configuration: SyncConfiguration,
        random: UInt64
    ) {
        var backoff =
            backoffs[record]
            ?? Backoff(base: configuration.backoffBase, cap: configuration.backoffCap)
        let time = now + backoff.fail(retryAfter: retryAfter, random: random)
        backoffs[record] = backoff
        until[record] = time
        if let group { groups[group] = max(groups[group] ?? time, time) }
    }

    /// A record waits no longer.
    mutating func end(_ record: RecordReference) {
        until[record] = nil
        backoffs[record] = nil
    }

    /// Whether a record, or its group, has to wait.
    func isDelayed(_ record: RecordReference, group: String?, at now: Duration) -> Bool {
        if let time = until[record], time > now { return true }
        if let group, let time = groups[group], time > now { return true }
        return false
    }

    /// When the first of them may be tried again.
    func next(after now: Duration) -> Duration? {
        (Array(until.values) + Array(groups.values)).filter { $0 > now }.min()
    }
}
