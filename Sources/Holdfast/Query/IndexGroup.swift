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

    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { ends.isEmpty }

    /// Whether its entries have to be visited in another way: there are too many to hold, or their
    /// keys are cut and do not tell the order.
    var isFull: Bool { ends.count > limit || isTruncated }

    private var isTruncated: Bool { indexKey.withRawSpan { IndexKey.isTruncated($0) } }

    func has(_ indexKey: RawSpan) -> Bool { indexKey.equals(self.indexKey) }

    /// Takes an entry of the group's index key, or of any when the group is empty.
    ///
    /// - Returns: Whether there is room for more.
    mutating func append(_ key: RawSpan, under indexKey: RawSpan) -> Bool {
        if isEmpty { indexKey.append(to: &self.indexKey) }
        key.append(to: &keys)
        ends.append(keys.count)
        return !isFull
    }

    mutating func removeAll() {
        indexKey.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    /// Visits the keys in the other direction, until `visit` returns `false`.
    func forEachReversed(_ visit: (_ key: RawSpan) throws -> Bool) rethrows -> Bool {
        try keys.withRawSpan { keys in
            for position in ends.indices.reversed() {
                let start = position == 0 ? 0 : ends[position - 1]
                if try !visit(keys.extracting(start..<ends[position])) { return false }
            }
            return true
        }
    }
}
