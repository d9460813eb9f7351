/// The answer to a ``SnapshotRequest``: records in the order of their tables and ids.
///
/// Each record is as it is when its page is made: newer than ``head`` where it was written since
/// the first page.
public struct SnapshotPage: Hashable, Sendable {
    /// The dataset that answered.
    public var dataset: DatasetID
    /// Its history.
    public var epoch: EpochID
    /// The versions that epochs left out, which histories that were lost may have given: what a client
    /// has on one of them is not known here, and may be the only copy.
    public var lost: [ClosedRange<RecordVersion>]
    /// All scopes that the principal sees now.
    public var scopes: [ScopeName]
    /// The dataset's newest version when the first page was made: what has a base up to here and
    /// stands on no page is gone.
    public var head: RecordVersion
    /// The records, each `put`.
    public var records: [ServerChange]
    /// What to ask the next page with; `nil` on the last page.
    public var next: SyncCursor?
    /// The position in the scope's history when the first page was made: where changes go on after
    /// the last page.
    public var cursor: SyncCursor

    /// A page.
    public init(
        dataset: DatasetID,
        epoch: EpochID,
        lost: [ClosedRange<RecordVersion>] = [],
        scopes: [ScopeName],
        head: RecordVersion,
        records: [ServerChange],
        next: SyncCursor?,
        cursor: SyncCursor
    ) {
        self.dataset = dataset
        self.epoch = epoch
        self.lost = lost
        self.scopes = scopes
        self.head = head
        self.records = records
        self.next = next
        self.cursor = cursor
    }
}
