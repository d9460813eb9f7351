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
    /// The keys of the records whose first values these are and whose next value is in an interval.
    ///
    /// - Returns: The range, and whether it holds no other records.
    func range(narrowedTo interval: ValueSet.Interval) -> (range: KeyRange, isExact: Bool) {
        if isTruncated { return (range, false) }
        var range = range
        let lower = bound(at: interval.lower, isUpper: false)
        let upper = bound(at: interval.upper, isUpper: true)
        range.raise(to: lower.key)
        range.sink(to: upper.key)
        return (range, lower.isExact && upper.isExact)
    }

    /// The first key behind a place; `nil` for none.
    ///
    /// A value that had to be cut shares its key with others: they count as behind a lower bound,
    /// and as before an upper one.
    private func bound(at cut: ValueCut, isUpper: Bool) -> (key: [UInt8]?, isExact: Bool) {
        switch cut {
        case .before(let value):
            let key = appending(value)
            let skipsKey = key.isTruncated && isUpper
            let bound = skipsKey ? KeyRange.successor(ofPrefix: key.bytes) : key.bytes
            return (bound, !key.isTruncated)
        case .after(let value):
            let key = appending(value)
            let keepsKey = key.isTruncated && !isUpper
            let bound = keepsKey ? key.bytes : KeyRange.successor(ofPrefix: key.bytes)
            return (bound, !key.isTruncated)
        case .afterTexts(let prefix):
            var key = bytes
            let isCut = IndexKey.appendPrefix(prefix, to: &key)
            let keepsKey = isCut && !isUpper
            return (keepsKey ? key : KeyRange.successor(ofPrefix: key), !isCut)
        case .end:
            return (KeyRange.successor(ofPrefix: bytes), true)
        }
    }
}
