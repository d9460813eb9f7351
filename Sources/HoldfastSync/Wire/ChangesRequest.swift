public import Holdfast

/// `GET sync/changes`: what happened in a scope since a position.
public struct ChangesRequest: Hashable, Sendable {
    /// Who asks.
    public var client: ClientID
    /// The dataset that the client believes in; `nil` before it knows one.
    public var dataset: DatasetID?
    /// The scope.
    public var scope: ScopeName
    /// The position; `nil` for everything from the beginning.
    public var cursor: SyncCursor?
    /// The greatest number of changes in the answer.
    public var limit: Int
    /// The tables; `nil` for all.
    public var tables: [TableName]?
    /// How long the server may wait for a first change.
    public var wait: Duration

    /// A request.
    public init(
        client: ClientID,
        dataset: DatasetID? = nil,
        scope: ScopeName,
        cursor: SyncCursor? = nil,
        limit: Int,
        tables: [TableName]? = nil,
        wait: Duration = .zero
    ) {
        self.client = client
        self.dataset = dataset
        self.scope = scope
        self.cursor = cursor
        self.limit = limit
        self.tables = tables
        self.wait = wait
    }
}
