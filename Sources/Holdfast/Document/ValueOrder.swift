/// Where one value stands to another in an order.
package enum ValueOrder: Int8, Sendable {
    /// The first comes before the second.
    case before = -1
    /// Neither comes before the other.
    case same = 0
    /// The first comes after the second.
    case after = 1

    /// The order of two comparable values.
    package init<Value: Comparable>(_ first: Value, _ second: Value) {
        if first < second {
            self = .before
        } else {
            self = first == second ? .same : .after
        }
    }

    /// The order of the two the other way round.
    package var reversed: ValueOrder {
        switch self {
        case .before: .after
        case .same: .same
        case .after: .before
        }
    }
}
