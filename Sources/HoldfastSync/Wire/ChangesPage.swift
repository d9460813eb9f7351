/// The answer to a ``ChangesRequest``: a page of one scope's history, in its order.
public struct ChangesPage: Hashable, Sendable {
    /// The dataset that answered.
    public var dataset: DatasetID
    /// Its history.
    public var epoch: EpochID
    /// All scopes that the principal sees now.
    public var scopes: [ScopeName]
    /// The changes, each record at most once.
    public var changes: [ServerChange]
    /// The position behind this page.
    public var cursor: SyncCursor
    /// Whether there are more changes now.
    public var hasMore: Bool

    /// A page.
    public init(
        dataset: DatasetID,
        epoch: EpochID,
        scopes: [ScopeName],
        changes: [ServerChange],
        cursor: SyncCursor,
        hasMore: Bool
    ) {
        self.dataset = dataset
        self.epoch = epoch
        self.scopes = scopes
        self.changes = changes
        self.cursor = cursor
        self.hasMore = hasMore
    }
}
