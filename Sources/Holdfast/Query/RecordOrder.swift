/// The order of a query's records: by fields, then by the bytes of the keys.
package struct RecordOrder: Sendable {
    package let steps: [FieldOrder]

    /// The order by these fields, most significant first.
    package init(steps: [FieldOrder]) { self.steps = steps }

    /// Whether `first` comes before `second`.
    package func precedes(_ first: RecordPosition, _ second: RecordPosition) -> Bool {
        for (step, (left, right)) in zip(steps, zip(first.values, second.values)) {
            switch left.order(to: right) {
            case .before: return step.direction == .ascending
            case .after: return step.direction == .descending
            case .same: continue
            }
        }
        return first.key.lexicographicallyPrecedes(second.key)
    }
}

/// Where a record stands in a query's order.
package struct RecordPosition: Sendable {
    /// The values of the fields that the query orders by; null for one that is missing.
    package let values: [JSONValue]
    /// The record's key.
    package let key: [UInt8]

    /// The place of a record with these values and this key.
    package init(values: [JSONValue], key: [UInt8]) {
        self.values = values
        self.key = key
    }
}
