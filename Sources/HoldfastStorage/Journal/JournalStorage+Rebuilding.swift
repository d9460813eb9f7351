import Synchronization

extension JournalStorage {
    private static let rebuildDelay = Duration.seconds(10)
    private static let longestRebuildDelay = Duration.seconds(640)

    /// Sees to it that the state is made anew when a page of it cannot be read.
    func watch(_ pages: PageFile?) {
        pages?.onDamage { [weak self] in
            guard let self else { return }
            self.isRebuildDue.withLock { $0 = true }
            self.scheduleRebuild(after: .zero)
        }
    }

    /// Goes on with what could not be done while the store was suspended.
    func resumeRebuild() {
        if isRebuildDue.withLock({ $0 }) { scheduleRebuild(after: .zero) }
    }

    private func scheduleRebuild(after delay: Duration) {
        configuration.scheduler.schedule(after: delay) { [weak self] in
            await self?.rebuild(retryingAfter: max(delay * 2, Self.rebuildDelay))
        }
    }

    /// Makes the state anew from the journal while the damaged one goes on, and puts it in its
    /// place between two commits.
    private func rebuild(retryingAfter delay: Duration) async {
        // What compaction would give up meanwhile has to be read.
        await compaction.gate.enterIgnoringCancellation()
        do {
            defer { compaction.gate.leave() }
            guard isRebuildDue.withLock({ $0 }) else { return }
            try await replaceState()
            isRebuildDue.withLock { $0 = false }
            try await dropCheckpoint()
        } catch {
            guard queue.withLock({ $0.upkeepTail != nil }), isRebuildDue.withLock({ $0 }) else {
                return
            }
            return scheduleRebuild(after: min(delay, Self.longestRebuildDelay))
        }
        try? await checkpoint()
    }

    private func replaceState() async throws(StorageError) {
        let published = queue.withLock { $0.published }
        var rebuild = JournalRebuild(changeReader.map, files: files)
        try rebuild.run(changeReader.map, through: published.sequenceNumber)
        try rebuild.setIndexes(published.indexes.map(\.definition))
        await gate.enterIgnoringCancellation()
        defer { gate.leave() }
        if queue.withLock({ !$0.isIdle }) { try await finish(addMark(.buffered)) }
        let head = try queue.withLock { queue throws(StorageError) in try queue.turn().root }
        try rebuild.run(changeReader.map, through: head.sequenceNumber)
        try rebuild.setIndexes(head.indexes.map(\.definition))
        queue.withLock { $0.replaceRoot(rebuild.root) }
        dormant.withLock { $0 = nil }
    }

    /// Removes the checkpoint, which the next open would find damaged too.
    private func dropCheckpoint() async throws(StorageError) {
        await checkpointGate.enterIgnoringCancellation()
        defer { checkpointGate.leave() }
        _ = try queue.withLock { queue throws(StorageError) in try queue.turn() }
        checkpoints.withLock { $0.dropped() }
        try CheckpointFile(directory).remove()
    }
}
