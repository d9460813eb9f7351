/// Entries of one index key, held back because the query wants them in another order.
///
/// One is used for all groups of a visit, so that holding an entry allocates nothing.
struct IndexGroup {
    private let limit: Int
    private(set) var indexKey: [UInt8] = []
    /// The keys of the records, one behind the other, in the order of the visit.
    private var keys: [UInt8] = []
    /// Where each key ends.
    private var ends: [Int] = []
    /// The values of the records, as the keys.
    private var values: [UInt8] = []
    private var valueEnds: [Int] = []
    /// The most bytes of values that are held.
    private static let valueLimit = 1 << 20

    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { ends.isEmpty }

    var count: Int { ends.count }

    /// The key of the record that came last.
    var lastKey: [UInt8] {
        ends.isEmpty ? [] : Array(keys[Self.range(at: ends.count - 1, in: ends)])
    }

    /// Whether its entries have to be visited in another way: there are too many to hold, or their
    /// keys are cut and do not tell the order.
    var isFull: Bool { ends.count > limit || values.count > Self.valueLimit || isTruncated }

    private var isTruncated: Bool { indexKey.withRawSpan { IndexKey.isTruncated($0) } }

    func has(_ indexKey: RawSpan) -> Bool { indexKey.equals(self.indexKey) }

    /// Takes an entry of the group's index key, or of any when the group is empty.
    ///
    /// - Returns: Whether there is room for more.
    mutating func append(_ key: RawSpan, _ value: RawSpan, under indexKey: RawSpan) -> Bool {
        if isEmpty { indexKey.append(to: &self.indexKey) }
        key.append(to: &keys)
        ends.append(keys.count)
        value.append(to: &values)
        valueEnds.append(values.count)
        return !isFull
    }

    mutating func removeAll() {
        indexKey.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        valueEnds.removeAll(keepingCapacity: true)
    }

    /// Visits the records in the other direction, until `visit` returns `false`.
    func forEachReversed(
        _ visit: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
    ) rethrows -> Bool {
        try keys.withRawSpan { keys in
            try values.withRawSpan { values in
                for position in ends.indices.reversed() {
                    let key = keys.extracting(Self.range(at: position, in: ends))
                    let value = values.extracting(Self.range(at: position, in: valueEnds))
                    if try !visit(key, value) { return false }
                }
                return true
            }
        }
    }

    private static func range(at position: Int, in ends: [Int]) -> Range<Int> {
        (position == 0 ? 0 : ends[position - 1])..<ends[position]
    }
}
