/// What opening a store found, and what it did.
public struct RecoveryReport: Hashable, Sendable {
    /// Whether the store was made now.
    public var isNew = false
    /// Whether the store had been closed, so that nothing had to be recovered.
    public var wasClosed = false
    /// The last commit that is there.
    public var last = SequenceNumber.zero
    /// The greatest number that was known to be durable before.
    public var proven = SequenceNumber.zero
    /// The commits that were there, but not known to be durable, and were written again.
    public var rewritten = 0
    /// Whether an unfinished write was found behind the last commit and left out, as after a crash.
    public var hadTornTail = false
    /// Whether the commits that have to be written again found no room: reads work, and writes
    /// throw `.diskFull` until there is some.
    public var isIncomplete = false
    /// The last commit of the checkpoint that the store was opened from.
    ///
    /// `nil` when all was read from the journal.
    public var checkpoint: SequenceNumber?
    /// Whether a checkpoint was there that is damaged or does not fit the journal, so that all was
    /// read from the journal.
    public var ignoredCheckpoint = false
    /// The number of segments.
    public var segments = 0
    /// The bytes of journal that were read.
    public var bytes: UInt64 = 0
}
