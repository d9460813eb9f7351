/// Where a page of a query ended, as opaque text of letters, digits, `-` and `_`.
///
/// It holds the ordering values and the id of the page's last record, which are user data.
public struct QueryCursor: Hashable, Sendable, CustomStringConvertible {
    /// The text.
    public let description: String

    /// The cursor with this text, which a page of the same query gave; a query that it does not
    /// belong to throws ``StoreError`` `.invalidCursor`.
    public init(_ text: String) { description = text }
}
