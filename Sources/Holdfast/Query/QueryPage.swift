/// A part of a query's records, and where the next part begins.
public struct QueryPage<Row: Sendable>: Sendable {
    /// The records, in the query's order.
    public let rows: [Row]
    /// What to give ``Query/after(_:)`` for the next page, or `nil` when this was the last.
    public let next: QueryCursor?
}
