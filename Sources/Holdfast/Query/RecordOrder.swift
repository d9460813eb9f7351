/// The order of a query's records: by fields, then by the bytes of the keys.
struct RecordOrder: Sendable {
    let steps: [FieldOrder]

    /// Whether `first` comes before `second`.
    func precedes(_ first: RecordPosition, _ second: RecordPosition) -> Bool {
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
struct RecordPosition: Sendable {
    /// The values of the fields that the query orders by; null for one that is missing.
    let values: [JSONValue]
    /// The record's key.
    let key: [UInt8]
}
