public import Holdfast
public import HoldfastSync

/// What an engine asks an API's history: what came behind a position.
public struct RESTPull: Hashable, Sendable {
    /// The position as the last page named it; `nil` for the beginning.
    public var cursor: String?
    /// How many records the page may have at most.
    public var limit: Int
    /// The scope.
    public var scope: ScopeName
    /// The tables; `nil` for all.
    public var tables: [TableName]?
    /// How long the API may wait for a first change, where it can.
    public var wait: Duration

    /// The first record of an API's first scope, to see whether the API is there.
    init(probing api: RESTAPI) {
        self.init(limit: 1, scope: api.scopes.first ?? ScopeName("all"))
    }

    init(
        cursor: String? = nil,
        limit: Int,
        scope: ScopeName,
        tables: [TableName]? = nil,
        wait: Duration = .zero
    ) {
        self.cursor = cursor
        self.limit = limit
        self.scope = scope
        self.tables = tables
        self.wait = wait
    }
}
