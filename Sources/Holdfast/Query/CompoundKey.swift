import HoldfastStorage

/// The key of several values in an index: the keys of the values, one behind the other.
///
/// A value whose key had to be cut ends it: what follows could not order it any further. Records
/// whose keys are cut and equal have to be compared by their values.
struct CompoundKey: Sendable {
    private(set) var bytes: [UInt8] = []
    private(set) var isTruncated = false

    mutating func append(_ value: JSONValue) {
        if isTruncated { return }
        isTruncated = IndexKey.append(value, to: &bytes)
    }

    func appending(_ value: JSONValue) -> CompoundKey {
        var key = self
        key.append(value)
        return key
    }

    /// The keys of the records whose first values these are.
    var range: KeyRange {
        isTruncated ? .exactly(bytes) : .prefix(bytes)
    }
}

extension CompoundKey {
    /// The keys of the records whose first values these are and whose next value is in the bounds.
    ///
    /// - Returns: The range, and whether it holds no other records.
    func range(narrowedTo bounds: FieldBounds) -> (range: KeyRange, isExact: Bool) {
        if isTruncated { return (range, false) }
        var range = range
        var isExact = true
        if let lower = bounds.lower {
            let key = appending(lower.value)
            isExact = isExact && !key.isTruncated
            let skipsKey = !lower.isIncluded && !key.isTruncated
            range.raise(to: skipsKey ? KeyRange.successor(ofPrefix: key.bytes) : key.bytes)
        }
        if let upper = bounds.upper {
            let key = appending(upper.value)
            isExact = isExact && !key.isTruncated
            let holdsKey = upper.isIncluded || key.isTruncated
            range.sink(to: holdsKey ? KeyRange.successor(ofPrefix: key.bytes) : key.bytes)
        }
        if let prefix = bounds.prefix {
            var bytes = bytes
            isExact = !IndexKey.appendPrefix(prefix, to: &bytes) && isExact
            range.narrow(to: .prefix(bytes))
        }
        return (range, isExact)
    }
}
