/// The order of a query's records: by fields, then by the bytes of the keys.
package struct RecordOrder: Sendable {
    package let steps: [FieldOrder]

    /// The order by these fields, most significant first.
    package init(steps: [FieldOrder]) { self.steps = steps }

    /// Whether `first` comes before `second`.
    package func precedes(_ first: RecordPosition, _ second: RecordPosition) -> Bool {
        // A loop over positions: zipped sequences are not specialised, and this runs in every sort.
        for position in steps.indices {
            switch first.values[position].order(to: second.values[position]) {
            case .before: return steps[position].direction == .ascending
            case .after: return steps[position].direction == .descending
            case .same: continue
            }
        }
        return first.key.withRawSpan { $0.order(to: second.key) } == .before
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
