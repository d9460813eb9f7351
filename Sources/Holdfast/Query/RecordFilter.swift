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

extension Filter {
    /// Whether a value passes.
    package func matches(_ candidate: JSONValue) -> Bool {
        switch comparison {
        case .equals: candidate.order(to: value) == .same
        case .differs: candidate.order(to: value) != .same
        case .isLess: candidate.order(to: value) == .before
        case .isAtMost: candidate.order(to: value) != .after
        case .isGreater: candidate.order(to: value) == .after
        case .isAtLeast: candidate.order(to: value) != .before
        case .isIn: operands.contains { candidate.order(to: $0) == .same }
        case .begins: begins(candidate)
        case .contains: contains(candidate)
        }
    }

    private func begins(_ candidate: JSONValue) -> Bool {
        guard case .string(let text) = candidate, case .string(let prefix) = value else {
            return false
        }
        return text.utf8.starts(with: prefix.utf8)
    }

    private func contains(_ candidate: JSONValue) -> Bool {
        switch (candidate, value) {
        case (.string(let text), .string(let part)): text.hasBytes(of: part)
        case (.array(let elements), _): elements.contains { $0.order(to: value) == .same }
        default: false
        }
    }
}

extension String {
    /// Whether the bytes of `part` stand somewhere in this text.
    ///
    /// - Complexity: O(n * m) at worst, O(n) on ordinary text.
    fileprivate func hasBytes(of part: String) -> Bool {
        let part = part.utf8
        guard let first = part.first else { return true }
        let text = utf8
        var start = text.startIndex
        while let found = text[start...].firstIndex(of: first) {
            if text[found...].starts(with: part) { return true }
            start = text.index(after: found)
        }
        return false
    }
}
