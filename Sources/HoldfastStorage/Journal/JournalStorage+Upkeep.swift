import Synchronization

/// What has been scheduled and has not run yet.
struct Upkeep {
    var hasMark = false
    var hasSync = false
}

extension JournalStorage {
    /// The longest time that the last commits stay unproven in the journal.
    static let markDelay = Duration.milliseconds(20)
    /// The longest time that a buffered commit stays without a sync.
    private static let syncDelay = Duration.seconds(1)

    /// Makes the next segment's file ahead of its use, in the background.
    ///
    /// A failure is left for the writer that needs the file: it meets it again, and can say so.
    func prepareNextSegment() {
        configuration.scheduler.schedule(after: .zero) { [weak self] in
            guard let self, self.deferred.withLock({ $0 == nil }),
                let (tail, size) = self.nextSegment()
            else { return }
            try? self.preparer.prepare(tail.header.number + 1, size: size)
        }
    }

    /// The journal's end, and the size of the segment that follows; `nil` when none may.
    func nextSegment() -> (tail: JournalTail, size: UInt64)? {
        queue.withLock { queue in
            queue.upkeepTail.map { ($0, configuration.segmentBytes(live: queue.liveBytes)) }
        }
    }

    func scheduleMark(after delay: Duration = markDelay) {
        let isNew = upkeep.withLock { upkeep in
            defer { upkeep.hasMark = true }
            return !upkeep.hasMark
        }
        guard isNew else { return }
        configuration.scheduler.schedule(after: delay) { [weak self] in
            await self?.markIfIdle()
        }
    }

    /// After a recovery: what it made durable is to be proven too, also if nothing is written.
    func markIfNeeded() {
        if queue.withLock({ $0.recorded < $0.durable }) { scheduleMark() }
    }

    func scheduleSync() {
        let isNew = upkeep.withLock { upkeep in
            defer { upkeep.hasSync = true }
            return !upkeep.hasSync
        }
        guard isNew else { return }
        configuration.scheduler.schedule(after: Self.syncDelay) { [weak self] in
            await self?.syncIfNeeded()
        }
    }

    /// Syncs what was committed and is not durable yet.
    ///
    /// It waits for no transaction.
    private func syncIfNeeded() async {
        upkeep.withLock { $0.hasSync = false }
        guard deferred.withLock({ $0 == nil }) else { return }
        let waiter = queue.withLock { queue -> CommitWaiter? in
            guard queue.durable < queue.published.sequenceNumber else { return nil }
            return try? queue.addSync()
        }
        if let waiter { try? await finish(waiter) }
    }

    /// After a group failed: what stood before it is still to be proven and synced.
    func scheduleUpkeep() {
        let needs = queue.withLock { queue in
            queue.upkeepTail == nil
                ? (mark: false, sync: false)
                : (
                    mark: queue.recorded < queue.durable,
                    sync: queue.durable < queue.published.sequenceNumber
                )
        }
        if needs.mark { scheduleMark(after: Self.syncDelay) }
        if needs.sync { scheduleSync() }
    }

    /// Writes what is known to be durable into the journal, unless later frames say it already.
    ///
    /// A failure is not reported here: a poisoned or full store tells it to the next write.
    private func markIfIdle() async {
        upkeep.withLock { $0.hasMark = false }
        await gate.enterIgnoringCancellation()
        let waiter: CommitWaiter?
        do {
            defer { gate.leave() }
            let isWanted = queue.withLock { queue in
                queue.upkeepTail != nil && queue.isIdle && queue.recorded < queue.durable
            }
            guard isWanted, deferred.withLock({ $0 == nil }) else { return }
            waiter = try? addMark(.buffered)
        }
        if let waiter { try? await finish(waiter) }
    }

    /// Tries again what a full disk kept recovery from doing.
    ///
    /// The caller has the turn.
    func completeRecovery() throws(StorageError) {
        guard let rewrite = deferred.withLock({ $0 }) else { return }
        let tail = try usingReserve { () throws(StorageError) in try rewrite.run() }
        preparer.begin(tail.header.number)
        var root = queue.withLock { $0.published }
        try rewrite.relocate(&root, to: tail)
        files.forget(tail.header.number)
        changeReader.started(tail.header)
        queue.withLock { $0.replaceRoot(root, tail: tail) }
        deferred.withLock { $0 = nil }
        prepareNextSegment()
        scheduleCompaction(after: .zero)
    }
}
