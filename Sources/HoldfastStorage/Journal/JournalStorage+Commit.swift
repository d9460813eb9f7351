import Synchronization

extension JournalStorage {
    /// Runs one transaction and commits it; see ``Storage/write(_:_:)``.
    @concurrent
    @discardableResult
    public func write<Result>(
        _ durability: Durability,
        _ body: sending (any StorageTransaction) throws -> sending Result
    ) async throws -> sending (result: Result, sequenceNumber: SequenceNumber) {
        if compaction.isBehind.load(ordering: .relaxed) {
            await configuration.scheduler.pause(for: Self.compactionPause)
        }
        // Who meets a full disk makes room first, so that a delete is not refused for the moment that
        // compaction lags.
        if reserve.isMissing { await compactIfNeeded() }
        try await gate.enter()
        let result: Result
        let commit: Commitment
        do {
            defer { gate.leave() }
            try completeRecovery()
            (result, commit) = try transact(durability, body)
        }
        if let waiter = commit.waiter { try await finish(waiter) }
        return (result, commit.number)
    }

    /// A transaction that was put into the queue; without a waiter, one that wrote nothing.
    struct Commitment {
        var waiter: CommitWaiter?
        var number: SequenceNumber
    }

    /// Runs a transaction on the head and puts its frame into the queue.
    ///
    /// The caller has the turn.
    private func transact<Result>(
        _ durability: Durability,
        _ body: (any StorageTransaction) throws -> sending Result
    ) throws -> sending (Result, Commitment) {
        var turn = try queue.withLock { queue throws(StorageError) in try queue.turn() }
        let transaction = TreeTransaction(
            turn.root,
            log: FrameLog(at: turn.tail, unwritten: turn.unwritten, files: files)
        )
        turn.unwritten = []
        let result: Result
        do {
            result = try body(transaction)
            try Task.checkCancellation()
        } catch {
            _ = transaction.end()
            throw error
        }
        let (root, log) = transaction.end()
        guard let frame = log.finish() else {
            return (result, Commitment(waiter: nil, number: turn.root.sequenceNumber))
        }
        return (result, try enqueue(frame, root, turn, durability))
    }

    private func enqueue(
        _ frame: consuming FrameBuilder,
        _ root: StorageRoot,
        _ turn: CommitQueue.Turn,
        _ durability: Durability
    ) throws(StorageError) -> Commitment {
        let frees = root.liveBytes < turn.root.liveBytes
        try admit(frees: frees)
        var (root, tail) = (root, turn.tail)
        var rotation: Rotation?
        if tail.needsRotation(for: FrameHeader.frameLength(payload: frame.payloadLength)) {
            rotation = tail.rotate(
                watermark: turn.durable,
                configuration: configuration,
                live: root.liveBytes
            )
            try frame.relocate(in: &root, to: tail)
        }
        let start = tail
        let bytes = frame.seat(at: &tail, watermark: turn.durable)
        root.sequenceNumber = tail.number
        let waiter = try add(
            CommitQueue.Addition(
                rotation: rotation,
                bytes: bytes,
                durability: durability,
                frees: frees,
                root: root,
                isUpdate: true,
                start: start,
                end: tail,
                watermark: turn.durable
            ),
            turn
        )
        return Commitment(waiter: waiter, number: tail.number)
    }

    /// Puts a mark into the queue: a frame that changes nothing and carries the watermark.
    ///
    /// - Parameters:
    ///   - durability: What it has to survive.
    ///   - rotates: Whether it goes into the next segment in any case.
    /// - Returns: Its place in the queue.
    /// - Throws: ``StorageError`` when nothing may be written any more.
    func addMark(
        _ durability: Durability,
        rotates: Bool = false
    ) throws(StorageError) -> CommitWaiter {
        var turn = try queue.withLock { queue throws(StorageError) in try queue.turn() }
        turn.unwritten = []
        var end = turn.tail
        var rotation: Rotation?
        if end.isSealed || rotates {
            rotation = end.rotate(
                watermark: turn.durable,
                configuration: configuration,
                live: turn.root.liveBytes
            )
        }
        let start = end
        var buffer = ByteBuffer(capacity: FrameHeader.byteCount)
        buffer.appendZeros(FrameHeader.byteCount)
        end.seat(.mark, in: &buffer, watermark: turn.durable)
        var bytes: [UInt8] = []
        buffer.copy(to: &bytes)
        return try add(
            CommitQueue.Addition(
                rotation: rotation,
                bytes: bytes,
                durability: durability,
                frees: rotates,
                root: turn.root,
                start: start,
                end: end,
                watermark: turn.durable
            ),
            turn
        )
    }

    func add(
        _ addition: CommitQueue.Addition,
        _ turn: CommitQueue.Turn
    ) throws(StorageError) -> CommitWaiter {
        try queue.withLock { queue throws(StorageError) in
            try queue.add(addition, generation: turn.generation)
        }
    }

    /// Waits until a commit has reached its level and is published, writing it if need be.
    func finish(_ waiter: CommitWaiter) async throws(StorageError) {
        switch await waiter.outcome() {
        case .done: return
        case .failed(let error): throw error
        case .lead: try lead(waiter)
        }
    }

    /// Writes groups until the leader's own commit is published.
    private func lead(_ waiter: CommitWaiter) throws(StorageError) {
        while let group = queue.withLock({ $0.take() }) {
            do throws(JournalWriter.Failure) {
                try write(group)
            } catch {
                // The next segment may have begun all the same: later groups go on in it.
                if let rotation = group.rotation, error.end == rotation.started {
                    started(rotation.started.header)
                }
                // Before anything else can stand where the group was to stand.
                files.forgetFailed(from: group.segment)
                let resolutions = queue.withLock { $0.fail(error) }
                for resolution in resolutions { resolution.waiter.resolve(resolution.outcome) }
                scheduleUpkeep()
                throw error.cause
            }
            if let rotation = group.rotation { started(rotation.started.header) }
            let (resolutions, isDone) = queue.withLock { $0.finish(leader: waiter.ticket) }
            for resolution in resolutions { resolution.waiter.resolve(resolution.outcome) }
            published(group)
            if isDone { return }
        }
    }

    func started(_ header: SegmentHeader) {
        files.forget(header.number)
        changeReader.started(header)
        prepareNextSegment()
        scheduleCompaction(after: .zero)
    }

    /// Wakes who waits for commits, and sees to it that what was written is proven soon.
    private func published(_ group: JournalGroup) {
        files.keep(group)
        signal.publish(group.end.number)
        noteGrowth(group.bytes.count)
        scheduleMark()
        if group.holdsUpdates { scheduleCompaction(after: Self.compactionDelay) }
        if group.durability != .synced { scheduleSync() }
    }
}
