/// A part of a query's records, and where the next part begins.
public struct QueryPage<Row: Sendable>: Sendable {
    /// The records, in the query's order.
    public let rows: [Row]
    /// What to give ``Query/after(_:)`` for the next page, or `nil` when this was the last; with a
    /// limit of 0 what this page was asked with.
    public let next: QueryCursor?
}
