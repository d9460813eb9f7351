import Synchronization

extension JournalStorage {
    /// Makes every commit durable, marks the journal's end as proven, and lets the lock go.
    ///
    /// Snapshots that are still held stay readable, as long as no other process compacts the store.
    /// Closing twice does nothing.
    ///
    /// - Throws: ``StorageError`` when the last commits could not be made durable; the store is
    ///   closed all the same, and opening it again recovers.
    @concurrent
    public func close() async throws {
        // Once the lock is given up, another process owns the names that compaction removes.
        compaction.stop()
        await compaction.gate.enterIgnoringCancellation()
        defer { compaction.gate.leave() }
        await checkpointGate.enterIgnoringCancellation()
        defer { checkpointGate.leave() }
        await gate.enterIgnoringCancellation()
        defer { gate.leave() }
        // A resumption may have been under way.
        compaction.stop()
        guard queue.withLock({ !$0.isClosed }) else { return }
        defer {
            // Snapshots that are held keep what they need.
            queue.withLock { queue in
                queue.isClosed = true
                queue.replaceRoot(StorageRoot())
            }
            writer.closeFile()
            signal.close()
            preparer.stop()
            scrubber.stop()
            reserve.stop()
            unlock()
        }
        // A suspended store has written its end, and another process may have the files.
        if queue.withLock({ !$0.isSuspended }) { try await writeEnd() }
    }

    /// Makes every commit durable and notes where the journal ends.
    ///
    /// A poisoned store writes nothing more, not even its end: its error is thrown. The caller has
    /// every turn.
    func writeEnd() async throws(StorageError) {
        if deferred.withLock({ $0 != nil }) { return }
        if queue.withLock({ !$0.isIdle || $0.durable < $0.published.sequenceNumber }) {
            try await finish(queue.withLock { queue throws(StorageError) in try queue.addSync() })
        }
        do throws(StorageError) {
            try await noteEnd()
        } catch  where error.code == .diskFull {
            // Every commit is durable; only the note that nothing follows found no room.
        }
    }

    private func noteEnd() async throws(StorageError) {
        // What the witness vouches for is durable before it, the last mark included.
        if queue.withLock({ $0.recorded < $0.durable || !$0.isEndSynced }) {
            try await finish(addMark(.synced))
        }
        let (tail, failure) = queue.withLock { ($0.flushed, $0.failure) }
        if let failure { throw failure }
        await checkpointOnClose()
        guard !tail.isSealed else { return }
        try writer.close(CloseWitness(store, tail))
    }
}
