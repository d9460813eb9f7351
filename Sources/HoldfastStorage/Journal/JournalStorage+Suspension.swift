import Synchronization

extension JournalStorage {
    /// Makes every commit durable and lets the lock go, until ``resume()``.
    ///
    /// For an app that the system is about to suspend: iOS ends a suspended process that holds a
    /// lock. It waits for the transaction that runs. Reads go on; a write throws `.suspended`, and
    /// so does one that waits for its turn. Another process may open the store for writing
    /// meanwhile. Suspending twice does nothing.
    ///
    /// - Throws: ``StorageError`` `.closed`; or what kept the last commits from becoming durable:
    ///   the lock is let go all the same.
    @concurrent
    public func suspend() async throws {
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
        let isOver = try queue.withLock { queue throws(StorageError) in
            if queue.isClosed { throw .closed }
            return queue.isSuspended
        }
        guard !isOver else { return }
        defer {
            queue.withLock { $0.isSuspended = true }
            preparer.stop()
            reserve.stop()
            writer.closeFile()
            unlock()
        }
        try await writeEnd()
    }

    /// Takes the lock again and goes on.
    ///
    /// What another process has committed meanwhile is read as a fresh open would read it, and is
    /// published as commits are; the indexes are brought up to it. Resuming a store that is not
    /// suspended does nothing.
    ///
    /// - Throws: ``StorageError`` `.locked` while another process has the store open for writing,
    ///   `.closed`, or what opening it may throw. The store stays suspended, and its snapshots
    ///   readable.
    @concurrent
    public func resume() async throws { try await resume { _ in } }

    /// Takes the lock again and goes on, unless `check` refuses what the journal holds now.
    ///
    /// - Throws: What `check` throws, with the store still suspended; else as ``resume()``.
    @concurrent
    package func resume(checking check: (any StorageSnapshot) throws -> Void) async throws {
        await gate.enterIgnoringCancellation()
        defer { gate.leave() }
        let (end, isSuspended) = try queue.withLock { queue throws(StorageError) in
            if queue.isClosed { throw .closed }
            return (queue.flushed, queue.isSuspended)
        }
        guard isSuspended else { return }
        let lock = try await StoreLock.take(directory, configuration)
        do {
            if try isAsLeft(end) {
                preparer.start(begun: end.header.number, ready: nil)
                compaction.goOn()
            } else {
                try readAgain(lock, check)
            }
        } catch {
            lock.release()
            throw error
        }
        lock.announce(configuration.owner)
        self.lock.withLock { $0 = lock }
        queue.withLock { $0.isSuspended = false }
        signal.publish(queue.withLock { $0.published.sequenceNumber })
        reserve.start()
        prepareNextSegment()
        claimReserve()
        markIfNeeded()
        startCompaction()
        resumeRebuild()
    }

    /// Whether the note of where the journal ended, which whoever writes removes first, still
    /// stands as it was written.
    private func isAsLeft(_ end: JournalTail) throws(StorageError) -> Bool {
        // A poisoned store has written none, and stays as it is.
        if queue.withLock({ $0.failure != nil }) { return true }
        guard deferred.withLock({ $0 == nil }), !end.isSealed else { return false }
        let listing = try directory.listing()
        // Compaction may give up what is dead without a frame.
        let map = changeReader.map
        let retired = try directory.retiredSegments(store: store)
        let witness = try directory.witness(listing, store: store)
        return witness == CloseWitness(store, end) && retired == map.retired
            && Set(listing.segments).isSuperset(of: map.headers.map(\.number))
    }

    /// Reads the store again, without its checkpoint where a page that `check` needs is damaged.
    private func openAgain(
        _ lock: StoreLock,
        _ check: (any StorageSnapshot) throws -> Void
    ) throws -> JournalOpening {
        let opening = try JournalOpening(again: files, lock, configuration)
        do {
            try check(TreeSnapshot(opening.root, reading: files))
            return opening
        } catch {
            guard opening.checkpoint?.pages.isDamaged == true else { throw error }
        }
        var configuration = configuration
        configuration.readsCheckpoint = false
        let whole = try JournalOpening(again: files, lock, configuration)
        try check(TreeSnapshot(whole.root, reading: files))
        return whole
    }

    /// Puts what stands in the files now in place of what is known of them.
    private func readAgain(
        _ lock: StoreLock,
        _ check: (any StorageSnapshot) throws -> Void
    ) throws {
        let old = queue.withLock { $0.published }
        files.forgetAll()
        var opening = try openAgain(lock, check)
        guard opening.store == store, opening.root.sequenceNumber >= old.sequenceNumber else {
            throw StorageError(
                .inputOutput,
                "Another store was put in this one's place while it was suspended. Close it, and"
                    + " open what is there now.",
                path: directory.path
            )
        }
        let ready = try opening.makeReady()
        let definitions = old.indexes.map(\.definition)
        changeReader.follow(ready.map)
        let woken =
            opening.checkpoint?.indexes.woken(definitions, in: opening.root, changeReader, files)
        try opening.root.setIndexes(definitions, waking: woken ?? [], reading: files)
        preparer.start(begun: ready.tail.header.number, ready: ready.prepared)
        writer.begin(hasWitness: ready.hasWitness)
        checkpoints.withLock { $0 = CheckpointUpkeep(opening.checkpoint) }
        dormant.withLock { $0 = nil }
        watch(opening.checkpoint?.pages)
        deferred.withLock { $0 = ready.deferred }
        let retirement = queue.withLock { queue in
            queue.adopt(opening.root, ready)
            return queue.pin.retirement
        }
        compaction.start(leftovers: opening.leftovers, retirement: retirement)
    }
}
