extension JSONValue {
    /// Whether this value comes before another in the order that queries and indexes use.
    ///
    /// The order is null, `false`, `true`, numbers, texts, arrays, objects. Numbers compare by what
    /// they are worth, exactly, whether integer or double; texts by their UTF-8 bytes; arrays by
    /// their elements, first difference first; objects by their fields in the order of their names.
    ///
    /// - Complexity: O(n) in the size of the smaller value; objects are sorted by name first.
    public func precedes(_ other: JSONValue) -> Bool {
        order(to: other) == .before
    }

    /// Where this value stands to another.
    package func order(to other: JSONValue) -> ValueOrder {
        switch (self, other) {
        case (.integer(let first), .integer(let second)): ValueOrder(first, second)
        case (.double(let first), .double(let second)): Self.order(first, second)
        case (.integer(let first), .double(let second)): Self.order(first, second)
        case (.double(let first), .integer(let second)): Self.order(second, first).reversed
        case (.string(let first), .string(let second)): UTF8Order.order(first, second)
        case (.array(let first), .array(let second)): Self.order(first, second)
        case (.object(let first), .object(let second)): Self.order(first, second)
        default: ValueOrder(rank, other.rank)
        }
    }

    /// The order of an integer and a double without rounding either.
    package static func order(_ integer: Int64, _ double: Double) -> ValueOrder {
        if double >= 0x1p63 || double.isNaN { return .before }
        if double < -0x1p63 { return .after }
        let floor = double.rounded(.down)
        guard let whole = Int64(exactly: floor), whole == integer else {
            return ValueOrder(integer, Int64(floor))
        }
        return floor < double ? .before : .same
    }

    /// A NaN, which no stored value holds, comes behind every number, so that the order is total.
    private static func order(_ first: Double, _ second: Double) -> ValueOrder {
        guard first.isNaN || second.isNaN else { return ValueOrder(first, second) }
        return ValueOrder(first.isNaN ? 1 : 0, second.isNaN ? 1 : 0)
    }

    private static func order(_ first: [JSONValue], _ second: [JSONValue]) -> ValueOrder {
        for (left, right) in zip(first, second) {
            let order = left.order(to: right)
            if order != .same { return order }
        }
        return ValueOrder(first.count, second.count)
    }

    private static func order(_ first: JSONObject, _ second: JSONObject) -> ValueOrder {
        for (left, right) in zip(first.sortedByName, second.sortedByName) {
            var order = UTF8Order.order(left.name, right.name)
            if order != .same { return order }
            order = left.value.order(to: right.value)
            if order != .same { return order }
        }
        return ValueOrder(first.count, second.count)
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .bool(let bool): bool ? 2 : 1
        case .integer, .double: 3
        case .string: 4
        case .array: 5
        case .object: 6
        }
    }
}
