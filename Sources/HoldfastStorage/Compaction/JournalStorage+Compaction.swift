import Synchronization

extension JournalStorage {
    /// How long after a commit compaction looks whether there is something to do.
    static let compactionDelay = Duration.seconds(1)
    /// How long a commit waits when compaction lags.
    static let compactionPause = Duration.milliseconds(5)

    /// Gives back the space of everything that no reader can reach any more.
    ///
    /// It runs beside reads and writes, in small steps, and ends when hardly anything is dead. What
    /// open snapshots need is kept until they are gone. Without this call the engine compacts by
    /// itself, as far as is worthwhile.
    ///
    /// - Throws: ``StorageError``, such as `.diskFull` or `.closed`; no record is affected.
    /// - Complexity: O(bytes of the segments that hold something dead).
    @concurrent
    public func compact() async throws(StorageError) {
        try await completeRecoveryInTurn()
        await compaction.gate.enterIgnoringCancellation()
        defer { compaction.gate.leave() }
        try requireWritable()
        try await leaveActiveSegment { plan, tail in plan.isWorthLeaving(tail) }
        let plan = try compactionPlan()
        for batch in plan.batches(of: plan.victims(.complete)) {
            try await giveUp(batch)
            try await removeLeftovers()
        }
        try await removeLeftovers()
    }

    /// Nothing may be moved before a recovery that a full disk has put off: it writes the end of
    /// the journal anew.
    private func completeRecoveryInTurn() async throws(StorageError) {
        await gate.enterIgnoringCancellation()
        defer { gate.leave() }
        _ = try queue.withLock { queue throws(StorageError) in try queue.turn() }
        try completeRecovery()
    }

    func requireWritable() throws(StorageError) {
        _ = try queue.withLock { queue throws(StorageError) in try queue.turn() }
        try compaction.requireRunning()
        if deferred.withLock({ $0 != nil }) { throw .recoveryIsPending }
    }

    /// Begins to look after the space of a store that was opened.
    func startCompaction() {
        pins.whenFreed { [weak self] in
            guard let self, self.compaction.state.withLock({ !$0.leftovers.isEmpty })
            else { return }
            self.scheduleCompaction(after: .zero)
        }
        let hasLeftovers = compaction.state.withLock { !$0.leftovers.isEmpty }
        scheduleCompaction(after: hasLeftovers ? .zero : Self.compactionDelay)
    }

    /// Lets a run look, a while from now, whether there is something to do.
    func scheduleCompaction(after delay: Duration) {
        let isDueLater = delay > .zero
        guard compaction.note(isDueLater: isDueLater) else { return }
        configuration.scheduler.schedule(after: delay) { [weak self] in
            guard let self else { return }
            self.compaction.began(isDueLater: isDueLater)
            await self.compactIfNeeded()
        }
    }

    /// Brings the journal back within its bounds.
    ///
    /// A failure is not reported here: what it left undone is tried again after later commits.
    func compactIfNeeded() async {
        await compaction.gate.enterIgnoringCancellation()
        defer {
            compaction.isBehind.store(false, ordering: .relaxed)
            compaction.gate.leave()
        }
        guard deferred.withLock({ $0 == nil }) else { return }
        try? await restoreBounds()
        try? await removeLeftovers()
    }

    private func restoreBounds() async throws(StorageError) {
        try requireWritable()
        if reserve.isPressed { return try await restoreSpace() }
        try await leaveActiveSegment { $0.isTooLarge($1) }
        if let (tail, size) = nextSegment() {
            try preparer.prepare(tail.header.number + 1, size: size, shrinks: true)
        }
        var done: Set<UInt32> = []
        while true {
            let plan = try compactionPlan(except: done)
            compaction.isBehind.store(plan.isBehind, ordering: .relaxed)
            let victims = plan.victims(.bounds)
            if victims.isEmpty { return }
            done.formUnion(victims)
            try await giveUp(victims)
            try await removeLeftovers()
        }
    }

    /// Frees what can be freed on a full disk, at once and in the order that needs least space.
    private func restoreSpace() async throws(StorageError) {
        try preparer.shrink()
        try await removeLeftovers()
        // What is dead in the segment that is written can be freed only once it was left.
        try? await leaveActiveSegment { $0.isWorthLeaving($1) }
        let plan = try compactionPlan()
        let dead = plan.sealed.filter { $0.needed == 0 }.map(\.number)
        if !dead.isEmpty {
            try await giveUp(dead)
            try await removeLeftovers()
        }
        let light = Set(plan.sealed.filter { $0.needed <= $0.bytes / 2 }.map(\.number))
        for victim in plan.victims(.complete) where light.contains(victim) && !dead.contains(victim)
        {
            try await giveUp([victim])
            try await removeLeftovers()
        }
        try reserve.claim()
    }

    /// Moves on to the next segment, if there is reason to.
    private func leaveActiveSegment(
        if isDue: (CompactionPlan, JournalTail) -> Bool
    ) async throws(StorageError) {
        let plan = try compactionPlan()
        guard var tail = queue.withLock({ $0.upkeepTail }), !tail.isSealed else { return }
        // Its file may have been made ready when more was live.
        tail.capacity = try sizeOfFile(of: tail.header.number)
        guard isDue(plan, tail) else { return }
        await gate.enterIgnoringCancellation()
        let waiter: CommitWaiter
        do {
            defer { gate.leave() }
            try requireWritable()
            waiter = try addMark(.synced, rotates: true)
        }
        try await finish(waiter)
    }

    /// What there is to choose from.
    private func compactionPlan(
        except done: Set<UInt32> = []
    ) throws(StorageError) -> CompactionPlan {
        let usage = queue.withLock { $0.published.usage } ?? JournalUsage()
        let headers = changeReader.map.headers
        let damaged = compaction.state.withLock { $0.damaged }
        var sealed: [CompactionPlan.Segment] = []
        for header in headers.dropLast()
        where !done.contains(header.number) && !damaged.contains(header.number) {
            let needed = usage.needed(in: header.number)
            let bytes = try fileBytes(of: header.number)
            sealed.append(.init(number: header.number, bytes: bytes, needed: needed))
        }
        return CompactionPlan(
            sealed: sealed,
            activeNeeded: headers.last.map { usage.needed(in: $0.number) } ?? 0,
            segmentBytes: configuration.segmentBytes(live: usage.liveBytes)
        )
    }

    private func fileBytes(of segment: UInt32) throws(StorageError) -> UInt64 {
        if let bytes = compaction.state.withLock({ $0.fileBytes[segment] }) { return bytes }
        let bytes = try sizeOfFile(of: segment)
        compaction.state.withLock { $0.fileBytes[segment] = bytes }
        return bytes
    }

    private func sizeOfFile(of segment: UInt32) throws(StorageError) -> UInt64 {
        let path = directory.segmentPath(segment)
        return try describing("Reading the journal") { () throws(SystemCallError) in
            let file = try directory.fileSystem.open(path, .read)
            defer { file.close() }
            return try file.size()
        }
    }
}

extension CompactionPlan {
    /// Whether much of the segment that is written is dead.
    fileprivate func isWorthLeaving(_ tail: JournalTail) -> Bool {
        let written = tail.offset - SegmentHeader.firstFrame
        let dead = written - min(written, activeNeeded)
        return isTooLarge(tail)
            || dead > 0 && dead >= (segmentBytes - min(segmentBytes, SegmentHeader.firstFrame)) / 4
    }

    /// Whether the segment that is written is far larger than a store of this size needs.
    fileprivate func isTooLarge(_ tail: JournalTail) -> Bool { tail.capacity >= 4 * segmentBytes }
}

extension JournalUsage {
    /// The bytes of a segment that would have to be moved.
    fileprivate func needed(in segment: UInt32) -> UInt64 {
        live(in: segment) + neededTombstones(in: segment)
    }
}
