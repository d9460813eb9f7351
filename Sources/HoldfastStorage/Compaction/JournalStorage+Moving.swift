import Synchronization

extension JournalStorage {
    /// The most that is moved in one turn: other writers wait for it.
    private static let stepBytes = 128 << 10
    private static let stepCount = 512

    /// Moves what is needed out of some segments, and gives them up.
    func giveUp(_ victims: [UInt32]) async throws(StorageError) {
        var emptied: [UInt32] = []
        let leaving = Set(victims)
        for victim in victims {
            do throws(StorageError) {
                try await empty(victim, leaving: leaving)
                emptied.append(victim)
            } catch  where error.code == .corruption {
                // Its other records are where they are; reading the damaged ones says so.
                compaction.state.withLock { _ = $0.damaged.insert(victim) }
            }
        }
        try await retire(emptied, givenUpWith: leaving)
    }

    /// Moves what is needed out of a segment.
    private func empty(
        _ victim: UInt32,
        leaving: Set<UInt32>
    ) async throws(StorageError) {
        let usage = queue.withLock { $0.published.usage } ?? JournalUsage()
        guard usage.live(in: victim) + usage.neededTombstones(in: victim, leaving: leaving) > 0
        else { return }
        let map = changeReader.map
        guard let index = map.index(of: victim), let end = map.end(ofIndex: index) else { return }
        var walk = try CompactionWalk(
            map.headers[index],
            from: compaction.progress(in: victim, leaving: leaving, map.retired.numbers),
            upTo: end.length,
            leaving: leaving,
            files: files
        )
        var batch = CompactionBatch()
        var hasMore = true
        while hasMore {
            let root = queue.withLock { $0.published }
            hasMore = try walk.gather(neededBy: root, into: &batch)
            for step in batch.steps(bytes: Self.stepBytes, count: Self.stepCount) {
                let waiter = try await inTurn { () throws(StorageError) in
                    try move(step, of: batch, leaving: leaving)
                }
                if let waiter { try await finish(waiter) }
            }
            compaction.passed(walk.position, in: victim, leaving: leaving)
        }
    }

    /// Runs something while no transaction does.
    private func inTurn<Result>(
        _ body: () throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        await gate.enterIgnoringCancellation()
        defer { gate.leave() }
        try requireWritable()
        return try body()
    }

    /// Puts a frame with the entries of a step that are still needed into the queue.
    ///
    /// The caller has the turn: what is needed now cannot change before the frame is in its place.
    private func move(
        _ step: Range<Int>,
        of batch: borrowing CompactionBatch,
        leaving: Set<UInt32>
    ) throws(StorageError) -> CommitWaiter? {
        var turn = try queue.withLock { queue throws(StorageError) in try queue.turn() }
        turn.unwritten = []
        var frame = MovesFrame()
        for entry in batch.entries[step] {
            try batch.withBytes(of: entry) { bytes throws(StorageError) in
                guard let parsed = FrameEntry(bytes, at: 0) else { return }
                let key = bytes.extracting(parsed.key)
                guard try turn.root.needs(entry.candidate, key, leaving: leaving) else { return }
                frame.append(entry, bytes)
            }
        }
        return frame.isEmpty ? nil : try enqueue(frame, turn)
    }

    private func enqueue(
        _ frame: consuming MovesFrame,
        _ turn: CommitQueue.Turn
    ) throws(StorageError) -> CommitWaiter {
        var (root, end) = (turn.root, turn.tail)
        var rotation: Rotation?
        if end.needsRotation(for: FrameHeader.frameLength(payload: frame.payloadLength)) {
            rotation = end.rotate(
                watermark: turn.durable,
                configuration: configuration,
                live: root.liveBytes
            )
        }
        try frame.relocate(in: &root, to: end)
        writer.counters.movedEntries.add(UInt64(frame.count), ordering: .relaxed)
        let start = end
        let bytes = frame.seat(at: &end, watermark: turn.durable)
        writer.counters.movedBytes.add(UInt64(bytes.count), ordering: .relaxed)
        return try add(
            CommitQueue.Addition(
                rotation: rotation,
                bytes: bytes,
                durability: .synced,
                frees: true,
                root: root,
                isUpdate: true,
                start: start,
                end: end,
                watermark: turn.durable
            ),
            turn
        )
    }
}
