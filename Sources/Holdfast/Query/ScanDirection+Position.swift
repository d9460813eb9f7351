import HoldfastStorage

extension ScanDirection {
    /// The keys of a range that a visit in this direction comes to after `key`.
    func part(of range: KeyRange, beyond key: [UInt8]) -> KeyRange {
        var range = range
        switch self {
        case .forward: range.raise(to: key + [0])
        case .backward: range.sink(to: key)
        }
        return range
    }
}

extension QueryPlan {
    /// Ranges in the order of the visit, without what comes up to and with `key`.
    func ranges(of keys: KeyRanges, after key: [UInt8]?) -> [KeyRange] {
        let ordered = direction == .forward ? keys.ranges : keys.ranges.reversed()
        guard let key else { return ordered }
        return ordered.map { direction.part(of: $0, beyond: key) }.filter { !$0.isEmpty }
    }

    /// The index key of the entries among which a position is, up to the first field of the index
    /// that neither has one value nor is one of the given fields of the order.
    func key(
        of position: RecordPosition,
        in index: Index,
        order: [FieldOrder],
        where isGiven: (FieldName) -> Bool = { _ in true }
    ) -> CompoundKey {
        var key = CompoundKey()
        for field in index.fields {
            if let constant = shape.constant(of: field) {
                key.append(constant)
            } else if isGiven(FieldName(field)),
                let step = order.firstIndex(where: { UTF8Order.same($0.field, field) })
            {
                key.append(position.values[step])
            } else {
                break
            }
        }
        return key
    }
}
