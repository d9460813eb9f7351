/// Which commits are built, written, published and failed: the pure part of group commit.
///
/// Two roots: transactions build on the *head*; readers see the *published* root, which follows a
/// group at a time, in order, when the group has reached its level. Whoever commits first leads: it
/// writes the group that has gathered so far, while the next one gathers, and hands the lead on.
struct CommitQueue {
    /// What a transaction is built on.
    struct Turn {
        var root: StorageRoot
        var tail: JournalTail
        var generation: UInt64
        var durable: SequenceNumber
        /// Groups that may not stand in the files yet: where the head's newest values are read.
        var unwritten: [JournalGroup]
    }

    /// A built frame, with all that changes once it is in the queue.
    struct Addition {
        var rotation: Rotation?
        var bytes: [UInt8]
        var durability: Durability
        /// Whether there is less live data after it than before, or will be.
        var frees = false
        /// The state and the journal's end before and after the frame.
        var root: StorageRoot
        /// Whether the root is another state, or the same in other places.
        var isUpdate = false
        var start: JournalTail
        var end: JournalTail
        var watermark: SequenceNumber
    }

    struct Resolution {
        var waiter: CommitWaiter
        var outcome: CommitWaiter.Outcome
    }

    private(set) var published: StorageRoot
    /// The greatest number known to be durable.
    private(set) var durable: SequenceNumber
    /// The greatest watermark that stands in the journal.
    private(set) var recorded: SequenceNumber
    private(set) var flushed: JournalTail
    /// Whether a sync has covered all that stands before ``flushed``, marks too.
    private(set) var isEndSynced = true
    /// Where the journal ended when a sync last covered it, and what was in use then.
    private(set) var synced: (end: JournalTail, usage: JournalUsage)?
    /// What keeps the segments that the published root needs.
    private(set) var pin: SegmentPin
    private(set) var failure: StorageError?
    /// Whether the last group found no room.
    private(set) var isDiskFull = false
    var isClosed = false
    /// Whether the lock was let go for a while: nothing may be written.
    var isSuspended = false

    private var head: StorageRoot
    private var tail: JournalTail
    /// Raised when the head returns to the published root: what was built on it is void.
    private var generation: UInt64 = 0
    private var gathering: [JournalGroup] = []
    private var writing: JournalGroup?
    private var isLed = false
    private var waiters: [CommitWaiter] = []
    private var lastTicket: UInt64 = 0
    private var lastFailure: StorageError?
    private var retired: RetiredNumbers

    init(
        root: StorageRoot,
        tail: JournalTail,
        durable: SequenceNumber,
        recorded: SequenceNumber,
        pin: SegmentPin
    ) {
        retired = root.usage?.retired ?? RetiredNumbers()
        self.pin = pin
        published = root
        head = root
        self.tail = tail
        flushed = tail
        self.durable = durable
        self.recorded = recorded
    }

    /// Whether every commit is published.
    var isIdle: Bool { gathering.isEmpty && writing == nil }

    /// The bytes of live entries in the published state.
    var liveBytes: UInt64 { published.usage?.liveBytes ?? 0 }

    /// The journal's end for background work; `nil` when nothing may be written any more.
    var upkeepTail: JournalTail? { isClosed || isSuspended || failure != nil ? nil : flushed }

    mutating func turn() throws(StorageError) -> Turn {
        if isClosed { throw .closed }
        if isSuspended { throw .suspended }
        if let failure { throw failure }
        head.usage?.retire(retired)
        return Turn(
            root: head,
            tail: tail,
            generation: generation,
            durable: durable,
            unwritten: (writing.map { [$0] } ?? []) + gathering
        )
    }

    /// Puts a frame into the group that gathers.
    ///
    /// - Throws: ``StorageError`` when what the frame was built on has failed meanwhile.
    mutating func add(
        _ addition: consuming Addition,
        generation: UInt64
    ) throws(StorageError) -> CommitWaiter {
        guard generation == self.generation else {
            throw failure ?? lastFailure ?? .closed
        }
        head = addition.root
        tail = addition.end
        lastTicket += 1
        let waiter = CommitWaiter(ticket: lastTicket)
        gather(addition)
        if isLed {
            waiters.append(waiter)
        } else {
            isLed = true
            waiter.resolve(.lead)
        }
        return waiter
    }

    private mutating func gather(_ addition: consuming Addition) {
        if addition.rotation != nil || gathering.isEmpty {
            gathering.append(
                JournalGroup(
                    rotation: addition.rotation,
                    segment: addition.start.header.number,
                    offset: addition.start.offset,
                    root: addition.root,
                    end: addition.end
                )
            )
        }
        let last = gathering.count - 1
        gathering[last].bytes.append(contentsOf: addition.bytes)
        gathering[last].root = addition.root
        gathering[last].end = addition.end
        gathering[last].watermark = max(gathering[last].watermark, addition.watermark)
        gathering[last].lastTicket = lastTicket
        if addition.isUpdate { gathering[last].holdsUpdates = true }
        if addition.frees { gathering[last].frees = true }
        gathering[last].strengthen(to: addition.durability)
    }

    /// Asks for a sync of all that was added so far: it needs no frame, and so no space and no
    /// turn.
    ///
    /// - Throws: ``StorageError`` when nothing may be written any more.
    mutating func addSync() throws(StorageError) -> CommitWaiter {
        let turn = try turn()
        return try add(
            Addition(
                rotation: nil,
                bytes: [],
                durability: .synced,
                root: turn.root,
                start: turn.tail,
                end: turn.tail,
                watermark: .zero
            ),
            generation: generation
        )
    }

    /// The group that the leader writes next.
    mutating func take() -> JournalGroup? {
        guard !gathering.isEmpty else { return nil }
        writing = gathering.removeFirst()
        return writing
    }

    /// Publishes the group that was written.
    ///
    /// A leader whose own commit was in it hands the lead on.
    mutating func finish(leader: UInt64) -> (resolutions: [Resolution], isDone: Bool) {
        guard let group = writing else { return ([], true) }
        writing = nil
        isDiskFull = false
        // A group that changes nothing must not take back indexes that were set meanwhile.
        if group.holdsUpdates { published = group.root }
        published.usage?.retire(retired)
        pin = pin.following(group.end.header.number)
        flushed = group.end
        recorded = max(recorded, group.watermark)
        isEndSynced = group.durability == .synced
        if isEndSynced {
            durable = group.end.number
            synced = published.usage.map { (group.end, $0) }
        }
        let count = waiters.prefix { $0.ticket <= group.lastTicket }.count
        var resolutions = waiters.prefix(count).map { Resolution(waiter: $0, outcome: .done) }
        waiters.removeFirst(count)
        guard leader <= group.lastTicket else { return (resolutions, false) }
        if waiters.isEmpty {
            isLed = false
        } else {
            resolutions.append(Resolution(waiter: waiters.removeFirst(), outcome: .lead))
        }
        return (resolutions, true)
    }

    /// Takes back the group that could not be written and everything that was built on it.
    mutating func fail(_ failure: JournalWriter.Failure) -> [Resolution] {
        let error: StorageError
        switch failure {
        case .undone(let cause, let end):
            error = cause
            flushed = end ?? flushed
        case .unknown(let cause):
            error = cause
            self.failure = cause
        }
        lastFailure = error
        isDiskFull = error.code == .diskFull
        flushed.epoch &+= 1
        tail = flushed
        head = published
        generation += 1
        writing = nil
        gathering = []
        isLed = false
        defer { waiters = [] }
        return waiters.map { Resolution(waiter: $0, outcome: .failed(error)) }
    }

    /// Goes on from what another process has made of the journal.
    mutating func adopt(_ root: StorageRoot, _ ready: JournalOpening.Ready) {
        replaceRoot(root, tail: ready.tail)
        retired = root.usage?.retired ?? RetiredNumbers()
        durable = ready.durable
        recorded = ready.recorded
        isEndSynced = true
        synced = nil
        pin = pin.behindRetirement(active: ready.tail.header.number)
    }

    /// Takes note that segments are given up, in which nothing of the published state stands.
    mutating func retire(_ numbers: RetiredNumbers) {
        retired = numbers
        published.usage?.retire(numbers)
        head.usage?.retire(numbers)
        pin = pin.behindRetirement()
    }

    /// Puts another state in place of the published one, between commits.
    mutating func replaceRoot(_ root: StorageRoot, tail: JournalTail? = nil) {
        published = root
        head = root
        if let tail {
            self.tail = tail
            flushed = tail
            pin = pin.following(tail.header.number)
        }
        generation += 1
    }
}
