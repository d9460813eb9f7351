import HoldfastStorage

/// How a query runs: what it visits, in which order, and what it has to sort.
///
/// ``description`` says it for people.
public struct QueryPlan: Sendable {
    /// Where the records come from.
    enum Access: Sendable {
        /// The records themselves, in the order of their keys.
        case table
        /// An index, and the records that its entries name.
        case index(Index)
    }

    let access: Access
    /// What is visited; its keys are those of `access`.
    let keys: KeyRanges
    /// The order in which the ranges are visited.
    let direction: ScanDirection
    /// Whether the records have to be sorted, because they are not visited in the query's order.
    let sorts: Bool
    /// What is asked for.
    let shape: QueryShape

    /// Whether every record in the ranges is one of the query's.
    var isCovering: Bool { keys.isExact && shape.isCovered(by: keys.fields) }
}
