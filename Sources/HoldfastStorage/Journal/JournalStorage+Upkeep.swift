import Synchronization

/// What has been scheduled and has not run yet.
struct Upkeep {
    var hasMark = false
    var hasSync = false
}

extension JournalStorage {
    /// The longest time that the last commits stay unproven in the journal.
    private static let markDelay = Duration.milliseconds(20)
    /// The longest time that a buffered commit stays without a sync.
    private static let syncDelay = Duration.seconds(1)

    /// Makes the next segment's file ahead of its use, in the background.
    ///
    /// A failure is left for the writer that needs the file: it meets it again, and can say so.
    func prepareNextSegment() {
        configuration.scheduler.schedule(after: .zero) { [weak self] in
            guard let self, self.deferred.withLock({ $0 == nil }),
                let tail = self.queue.withLock({ $0.upkeepTail })
            else { return }
            try? self.preparer.prepare(tail.header.number + 1, after: tail)
        }
    }

    func scheduleMark() {
        let isNew = upkeep.withLock { upkeep in
            defer { upkeep.hasMark = true }
            return !upkeep.hasMark
        }
        guard isNew else { return }
        configuration.scheduler.schedule(after: Self.markDelay) { [weak self] in
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
            guard let self else { return }
            self.upkeep.withLock { $0.hasSync = false }
            await self.append(.synced) { $0.durable < $0.published.sequenceNumber }
        }
    }

    /// Writes what is known to be durable into the journal, unless later frames say it already.
    private func markIfIdle() async {
        upkeep.withLock { $0.hasMark = false }
        await append(.buffered) { $0.isIdle && $0.recorded < $0.durable }
    }

    /// Appends a mark if it is needed.
    ///
    /// A failure is not reported here: a poisoned or full store tells it to the next write.
    private func append(_ durability: Durability, if isNeeded: (CommitQueue) -> Bool) async {
        await gate.enterIgnoringCancellation()
        let waiter: CommitWaiter?
        do {
            defer { gate.leave() }
            let isWanted = queue.withLock { queue in
                queue.upkeepTail != nil && isNeeded(queue)
            }
            guard isWanted, deferred.withLock({ $0 == nil }) else { return }
            waiter = try? addMark(durability)
        }
        if let waiter { try? await finish(waiter) }
    }

    /// Tries again what a full disk kept recovery from doing.
    ///
    /// The caller has the turn.
    func completeRecovery() throws(StorageError) {
        guard let rewrite = deferred.withLock({ $0 }) else { return }
        let tail = try rewrite.run()
        preparer.begin(tail.header.number)
        var root = queue.withLock { $0.published }
        try rewrite.relocate(&root, to: tail)
        queue.withLock { $0.replaceRoot(root, tail: tail) }
        deferred.withLock { $0 = nil }
        started(tail.header)
    }
}
