import Synchronization

extension JournalStorage {
    /// How long a checkpoint that is due waits, to see whether an import goes on.
    private static let checkpointDelay = Duration.seconds(1)

    /// Writes a checkpoint of everything that is committed, so that opening the store reads only
    /// what is committed later.
    ///
    /// That is done in the background too, by bytes written, and when the store is closed. Commits
    /// and reads go on meanwhile; every commit before is durable afterwards.
    ///
    /// - Throws: ``StorageError``, `.diskFull` where there is no room for it, `.closed`,
    ///   `.checkpointDamaged` when the last one has to be made anew first; the last one stands.
    /// - Complexity: O(keys).
    @concurrent
    public func checkpoint() async throws(StorageError) {
        let wanted = try publishedEnd()
        await checkpointGate.enterIgnoringCancellation()
        defer { checkpointGate.leave() }
        if checkpoints.withLock({ $0.covers(wanted) }) { return }
        try await writeCheckpoint()
    }

    /// Returns when no checkpoint stands that does not contain everything that is published now,
    /// where it stands now.
    ///
    /// Where there is none, none is written; where there is no room for another, the one that
    /// stands is removed.
    func checkpointCovering() async throws(StorageError) {
        let wanted = try publishedEnd()
        await checkpointGate.enterIgnoringCancellation()
        defer { checkpointGate.leave() }
        let file = CheckpointFile(directory)
        if checkpoints.withLock({ $0.covers(wanted) }) { return }
        guard try file.exists() else { return }
        do throws(StorageError) {
            try await writeCheckpoint()
        } catch {
            guard error.code == .diskFull || error.code == .checkpointDamaged else { throw error }
            checkpoints.withLock { $0.dropped() }
            try file.remove()
        }
    }

    private func publishedEnd() throws(StorageError) -> JournalPosition {
        try queue.withLock { queue throws(StorageError) in
            if queue.isClosed { throw .closed }
            return JournalPosition(queue.flushed)
        }
    }

    /// Writes one when the store is closed after much was written; a failure costs time at the next
    /// open, and nothing else.
    ///
    /// The caller has the turn to write one.
    func checkpointOnClose() async {
        guard checkpoints.withLock({ $0.isDueOnClose(configuration) }) else { return }
        try? await writeCheckpoint()
    }

    /// The caller has the turn to write one.
    private func writeCheckpoint() async throws(StorageError) {
        _ = try queue.withLock { queue throws(StorageError) in try queue.turn() }
        if deferred.withLock({ $0 != nil }) { throw .recoveryIsPending }
        let started = checkpoints.withLock { $0.started() }
        do throws(StorageError) {
            let image = try await durableImage()
            let size = try await CheckpointFile(directory)
                .write(image, salt: configuration.random())
            // Indexes that are still to be declared are not in it.
            let lacksIndexes = dormant.withLock { $0 != nil }
            checkpoints.withLock { upkeep in
                upkeep.finished(image.position, bytes: size, since: started)
                if lacksIndexes { upkeep.builtIndexes(entries: 0) }
            }
        } catch {
            checkpoints.withLock { $0.failed(configuration, since: started) }
            throw error
        }
    }

    /// The published state, once all of it is durable: a checkpoint that is newer than the synced
    /// journal would make damage of a power loss.
    private func durableImage() async throws(StorageError) -> CheckpointImage {
        let (root, tail, isDurable) = queue.withLock { queue in
            let isDurable =
                queue.durable >= queue.published.sequenceNumber && queue.isEndSynced
            return (queue.published, queue.flushed, isDurable)
        }
        if !isDurable {
            try await finish(queue.withLock { queue throws(StorageError) in try queue.addSync() })
        }
        if let failure = queue.withLock({ $0.failure }) { throw failure }
        let position = JournalPosition(tail)
        return CheckpointImage(
            store: store,
            root: root,
            position: position,
            frame: try position.frame(tail.header, files),
            segments: summaries(of: root, upTo: tail),
            retired: changeReader.map.retired.ranges.map(RetiredRange.init)
        )
    }

    /// The segments as they were when the journal ended there.
    private func summaries(of root: StorageRoot, upTo tail: JournalTail) -> [SegmentSummary] {
        let map = changeReader.map
        return map.headers.indices.compactMap { index in
            let header = map.headers[index]
            guard header.number <= tail.header.number else { return nil }
            let isLast = header.number == tail.header.number
            return SegmentSummary(
                number: header.number,
                first: header.first,
                length: isLast ? tail.offset : map.end(ofIndex: index)?.length ?? tail.offset,
                liveBytes: root.usage?.live(in: header.number) ?? 0,
                tombstones: (root.usage?.tombstones(in: header.number) ?? [])
                    .map { SegmentSummary.Tombstones(older: $0.hidden, bytes: $0.bytes) }
            )
        }
    }
}

extension JournalStorage {
    /// Takes note that the journal grew, and schedules a checkpoint when that was enough.
    func noteGrowth(_ bytes: Int) {
        let isDue = checkpoints.withLock { upkeep in
            upkeep.wrote(UInt64(bytes))
            return upkeep.schedule(configuration)
        }
        if isDue { scheduleCheckpoint() }
    }

    /// Takes note that indexes were declared that the checkpoint does not have.
    func noteIndexes(entries: Int) {
        checkpoints.withLock { $0.builtIndexes(entries: entries) }
        noteGrowth(0)
    }

    private func scheduleCheckpoint() {
        configuration.scheduler.schedule(after: Self.checkpointDelay) { [weak self] in
            await self?.checkpointIfWanted()
        }
    }

    /// A failure is not reported here: it is tried again when more has been written.
    private func checkpointIfWanted() async {
        guard queue.withLock({ $0.upkeepTail != nil }) else { return }
        if checkpoints.withLock({ $0.isWanted(configuration) }) {
            await checkpointGate.enterIgnoringCancellation()
            defer { checkpointGate.leave() }
            guard queue.withLock({ $0.upkeepTail != nil }) else { return }
            try? await writeCheckpoint()
        }
        noteGrowth(0)
    }
}

extension StorageError {
    /// A full disk kept the last commits from being written again.
    static let recoveryIsPending = StorageError(
        .diskFull,
        "The disk is full, and the last commits have to be recovered first. Free some space and try"
            + " again."
    )
}
