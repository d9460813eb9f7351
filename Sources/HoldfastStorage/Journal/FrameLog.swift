import Synchronization

/// A transaction's log: its frame in the making, and the groups before it that may not be written
/// yet.
final class FrameLog: TransactionLog {
    // Reached through the transaction, which lets one call in at a time; a scan's copy reads what
    // stood when it began.
    private let frame: Mutex<FrameBuilder?>
    private let unwritten: Mutex<[JournalGroup]>
    private let files: SegmentFiles

    /// A log for a transaction behind `tail`; `unwritten` has the groups before it.
    init(at tail: JournalTail, unwritten: [JournalGroup], files: SegmentFiles) {
        frame = Mutex(FrameBuilder(at: tail))
        self.unwritten = Mutex(unwritten)
        self.files = files
    }

    func appendPut(
        _ value: RawSpan,
        for key: RawSpan,
        _ record: (_ payload: RawSpan) throws(StorageError) -> Void
    ) throws(StorageError) {
        let location = try frame.withLock { frame throws(StorageError) in
            guard frame != nil else { throw .closed }
            return try frame?.appendPut(key: key, value: value)
        }
        try location?.withBytes(record)
    }

    func appendDelete(
        _ key: RawSpan,
        hiding hidden: ClosedRange<UInt32>
    ) throws(StorageError) -> Tombstone? {
        try frame.withLock { frame throws(StorageError) in
            try frame?.appendDelete(key: key, hiding: hidden)
        }
    }

    var mark: Int { frame.withLock { $0?.length ?? 0 } }

    func rollBack(to mark: Int) {
        frame.withLock { $0?.rollBack(to: mark) }
    }

    /// Gives the frame away; `nil` when nothing was written.
    ///
    /// It lets the groups go too: who adds to one that is shared would copy it.
    func finish() -> FrameBuilder? {
        unwritten.withLock { $0 = [] }
        guard let frame = frame.withLock({ $0.take() }), !frame.isEmpty else { return nil }
        return frame
    }

    func withValue<Result>(
        at payload: RawSpan,
        for key: RawSpan,
        _ body: (RawSpan) -> Result
    ) throws(StorageError) -> Result {
        guard let value = recent(EntryLocation(payload), for: key) else {
            return try files.withValue(at: payload, for: key, body)
        }
        return unsafe body(value.span.bytes)
    }

    func value(at payload: RawSpan, for key: RawSpan) throws(StorageError) -> [UInt8] {
        if let value = recent(EntryLocation(payload), for: key) { return value }
        return try files.value(at: payload, for: key)
    }

    static var readsAhead: Bool { true }

    func read(_ batch: inout ValueBatch) {
        let unwritten = unwritten.withLock { $0 }
        batch.read(files) { location in
            !unwritten.contains { $0.holds(location) }
                && !frame.withLock { $0?.holds(location) == true }
        }
    }

    /// The value, if it is this transaction's own or of one that may not be in the files yet.
    private func recent(_ location: EntryLocation, for key: RawSpan) -> [UInt8]? {
        let own = frame.withLock { frame -> [UInt8]? in
            guard frame?.holds(location) == true else { return nil }
            return frame?.value(at: location, for: key)
        }
        if let own { return own }
        let group = unwritten.withLock { $0.last { $0.holds(location) } }
        return group?.value(at: location, for: key)
    }
}
