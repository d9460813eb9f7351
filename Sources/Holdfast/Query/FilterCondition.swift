/// A comparison of one field's value: the leaf of a filter.
package struct FilterCondition: Sendable {
    /// The field's name.
    package let field: String
    /// How its value is compared.
    package let comparison: Filter.Comparison
    /// What it is compared with.
    package let value: JSONValue
    /// The values that the field may have with `.isIn`, in their order.
    let operands: [JSONValue]

    /// - Complexity: O(m log m) for m values with `.isIn`.
    init(field: String, comparison: Filter.Comparison, value: JSONValue) {
        self.field = field
        self.comparison = comparison
        self.value = value
        // Values that no record holds are refused by the check, before they are compared.
        if comparison == .isIn, case .array(let values) = value,
            value.nests(within: JSONValue.nestingLimit)
        {
            operands = values.sorted { $0.precedes($1) }
        } else {
            operands = []
        }
    }

    /// Refuses a comparison that cannot mean anything with its value.
    func check() throws {
        guard value.nests(within: JSONValue.nestingLimit) else {
            throw StoreError(
                .invalidQuery,
                "A value is nested deeper than any that a record holds:"
                    + " at most \(JSONValue.nestingLimit) levels.",
                field: field
            )
        }
        switch (comparison, value) {
        case (.isIn, .array), (.begins, .string): return
        case (.isIn, _):
            throw StoreError(
                .invalidQuery,
                "in compares with an array of values, such as [1, 2].",
                field: field
            )
        case (.begins, _):
            throw StoreError(
                .invalidQuery,
                "begins compares with a text, such as \"Br\".",
                field: field
            )
        default: return
        }
    }
}

extension FilterCondition {
    /// Whether a value passes.
    func matches(_ candidate: JSONValue) -> Bool {
        switch comparison {
        case .equals: candidate.order(to: value) == .same
        case .differs: candidate.order(to: value) != .same
        case .isLess: candidate.order(to: value) == .before
        case .isAtMost: candidate.order(to: value) != .after
        case .isGreater: candidate.order(to: value) == .after
        case .isAtLeast: candidate.order(to: value) != .before
        case .isIn: isAmongOperands(candidate)
        case .begins: begins(candidate)
        case .contains: contains(candidate)
        }
    }

    /// - Complexity: O(log m) comparisons for m operands.
    private func isAmongOperands(_ candidate: JSONValue) -> Bool {
        var (low, high) = (0, operands.count)
        while low < high {
            let middle = low + (high - low) / 2
            switch candidate.order(to: operands[middle]) {
            case .same: return true
            case .before: high = middle
            case .after: low = middle + 1
            }
        }
        return false
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
