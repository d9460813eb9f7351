/// How a query runs: what it visits, in which order, and what it has to sort.
///
/// `description` says it for people.
public struct QueryPlan: Hashable, Sendable, CustomStringConvertible {
    /// The plan in words.
    public var description: String { "" }
}
