public import Holdfast

/// `GET sync/snapshot`: the records of a scope as they are, for a client whose cursor is of no use
/// any more.
public struct SnapshotRequest: Hashable, Sendable {
    /// Who asks.
    public var client: ClientID
    /// The dataset that the client believes in; `nil` before it knows one.
    public var dataset: DatasetID?
    /// The scope.
    public var scope: ScopeName
    /// Where the page before ended; `nil` for the first page.
    public var after: SyncCursor?
    /// The greatest number of records in the answer.
    public var limit: Int
    /// The tables; `nil` for all.
    public var tables: [TableName]?

    /// A request.
    public init(
        client: ClientID,
        dataset: DatasetID? = nil,
        scope: ScopeName,
        after: SyncCursor? = nil,
        limit: Int,
        tables: [TableName]? = nil
    ) {
        self.client = client
        self.dataset = dataset
        self.scope = scope
        self.after = after
        self.limit = limit
        self.tables = tables
    }
}
