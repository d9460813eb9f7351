import HoldfastStorage

/// A query's filters, tried on packed records: only the fields that they name are read.
struct RecordFilter: Sendable {
    let filters: [Filter]

    init(_ filters: [Filter]) { self.filters = filters }

    /// Whether a record passes all filters.
    func matches(_ document: RawSpan) throws(DocumentError) -> Bool {
        for filter in filters {
            guard try filter.matches(document) else { return false }
        }
        return true
    }

    /// The values that a record is ordered by; null for a field that is missing.
    func values(of order: [FieldOrder], in document: RawSpan) throws(DocumentError) -> [JSONValue] {
        var values: [JSONValue] = []
        values.reserveCapacity(order.count)
        for step in order {
            values.append(try Document.value(of: step.field, in: document) ?? .null)
        }
        return values
    }
}

extension Filter {
    fileprivate func matches(_ document: RawSpan) throws(DocumentError) -> Bool {
        switch node {
        case .condition(let condition): return try condition.matches(document)
        case .search(let search): return try search.matches(document)
        case .all(let filters):
            for filter in filters {
                guard try filter.matches(document) else { return false }
            }
            return true
        case .any(let filters):
            for filter in filters where try filter.matches(document) { return true }
            return false
        case .not(let filter): return try !filter.matches(document)
        case .tooDeep: return false
        }
    }
}

extension FilterCondition {
    /// Whether a record passes; a field that is missing counts as null.
    fileprivate func matches(_ document: RawSpan) throws(DocumentError) -> Bool {
        switch comparison {
        case .equals: try order(in: document) == .same
        case .differs: try order(in: document) != .same
        case .isLess: try order(in: document) == .before
        case .isAtMost: try order(in: document) != .after
        case .isGreater: try order(in: document) == .after
        case .isAtLeast: try order(in: document) != .before
        case .contains, .begins, .isIn:
            matches(try Document.value(of: field, in: document) ?? .null)
        }
    }

    private func order(in document: RawSpan) throws(DocumentError) -> ValueOrder {
        try Document.order(of: field, in: document, to: value)
    }
}
