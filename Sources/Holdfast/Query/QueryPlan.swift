import HoldfastStorage

/// How a query runs: what it visits, in which order, and what it has to sort.
///
/// ``description`` says it for people.
public struct QueryPlan: Sendable {
    /// Where the records come from.
    enum Access: Sendable {
        /// The records themselves, in the order of their keys.
        case table(KeyRanges)
        /// An index, and the records that its entries name.
        case index(Index, KeyRanges)
        /// The records that several sources name, in the order of their keys.
        case gathered([KeySource])
    }

    /// How far the order of the visit is the query's order.
    enum Ordering: Sendable {
        /// It is.
        case given
        /// In its first so many steps; records that they leave equal have to be sorted.
        case groups(steps: Int)
        /// It is not.
        case sort
    }

    let access: Access
    /// The order in which the keys are visited.
    let direction: ScanDirection
    /// What is left to do for the query's order.
    let ordering: Ordering
    /// What is asked for.
    let shape: QueryShape

    /// Whether every record that is visited is one of the query's.
    var isCovering: Bool {
        switch access {
        case .table(let keys), .index(_, let keys): keys.isExact
        case .gathered(let sources): sources.allSatisfy(\.keys.isExact)
        }
    }

    /// How much of the filters the keys say already: which of two plans to take that cost the same,
    /// as all do in an empty table.
    var narrowness: (Int, Int) {
        (isCovering ? 1 : 0, sources.map(\.keys.fields.count).min() ?? 0)
    }

    /// Where the keys come from.
    var sources: [KeySource] {
        switch access {
        case .table(let keys): [KeySource(index: nil, keys: keys)]
        case .index(let index, let keys): [KeySource(index: index, keys: keys)]
        case .gathered(let sources): sources
        }
    }

    /// Whether the number of keys is the number of records, so that counting reads none.
    var countsByKeys: Bool {
        guard isCovering else { return false }
        guard case .gathered(let sources) = access else { return true }
        return sources.count == 1 && sources[0].namesOnce && sources[0].otherTerms.isEmpty
    }
}
