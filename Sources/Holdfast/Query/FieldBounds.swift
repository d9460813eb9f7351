/// What a query's filters say of one field, as far as an ordered set of keys can serve it.
///
/// The values that pass the filters lie within the bounds; where ``isExact`` holds, no others do.
struct FieldBounds: Sendable {
    /// One end of a range of values.
    struct End: Sendable {
        var value: JSONValue
        var isIncluded: Bool
    }

    let field: String
    /// The values that equality allows, ascending and each once; `nil` for no such filter.
    private(set) var points: [JSONValue]?
    private(set) var lower: End?
    private(set) var upper: End?
    /// What a text has to begin with.
    private(set) var prefix: String?
    /// Whether the bounds say all that the filters say.
    private(set) var isExact = true

    /// The bounds that the filters on `field` set.
    init(of field: String, in filters: [Filter]) {
        self.field = field
        for filter in filters where UTF8Order.same(filter.field, field) { narrow(by: filter) }
        if points != nil, lower != nil || upper != nil || prefix != nil { isExact = false }
    }

    /// Whether these are the bounds of `field`; names are the same when their bytes are.
    func isOf(_ field: String) -> Bool { UTF8Order.same(self.field, field) }

    /// Whether the field can have one value only.
    var isConstant: Bool { points?.count == 1 }

    /// Whether there is anything that narrows a range, beside points.
    var isRange: Bool { lower != nil || upper != nil || prefix != nil }

    private mutating func narrow(by filter: Filter) {
        switch filter.comparison {
        case .equals: narrow(to: [filter.value])
        case .isIn: narrow(to: filter.operands)
        case .isGreater: raise(to: End(value: filter.value, isIncluded: false))
        case .isAtLeast: raise(to: End(value: filter.value, isIncluded: true))
        case .isLess: sink(to: End(value: filter.value, isIncluded: false))
        case .isAtMost: sink(to: End(value: filter.value, isIncluded: true))
        case .begins: narrow(toPrefix: filter.value)
        case .differs, .contains: isExact = false
        }
    }

    private mutating func narrow(to values: [JSONValue]) {
        let sorted = values.sorted { $0.precedes($1) }
        var distinct: [JSONValue] = []
        for value in sorted where distinct.last?.order(to: value) != .same {
            distinct.append(value)
        }
        guard let points else {
            self.points = distinct
            return
        }
        self.points = points.filter { point in
            distinct.contains { $0.order(to: point) == .same }
        }
    }

    private mutating func raise(to end: End) {
        guard let lower else {
            self.lower = end
            return
        }
        switch end.value.order(to: lower.value) {
        case .after: self.lower = end
        case .same: self.lower?.isIncluded = lower.isIncluded && end.isIncluded
        case .before: break
        }
    }

    private mutating func sink(to end: End) {
        guard let upper else {
            self.upper = end
            return
        }
        switch end.value.order(to: upper.value) {
        case .before: self.upper = end
        case .same: self.upper?.isIncluded = upper.isIncluded && end.isIncluded
        case .after: break
        }
    }

    private mutating func narrow(toPrefix value: JSONValue) {
        guard case .string(let text) = value else {
            isExact = false
            return
        }
        if let prefix {
            isExact = false
            if prefix.utf8.count >= text.utf8.count { return }
        }
        prefix = text
    }
}
