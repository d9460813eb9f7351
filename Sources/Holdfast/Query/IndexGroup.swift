/// Entries of one index key, held back because the query wants them in another order.
struct IndexGroup {
    private let limit: Int
    private(set) var indexKey: [UInt8] = []
    /// The keys of the records, in the order of the visit.
    private(set) var keys: [[UInt8]] = []

    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { keys.isEmpty }

    /// Whether its entries have to be visited in another way: there are too many to hold, or their
    /// keys are cut and do not tell the order.
    var isFull: Bool { keys.count > limit || isTruncated }

    private var isTruncated: Bool { indexKey.withRawSpan { IndexKey.isTruncated($0) } }

    func has(_ indexKey: RawSpan) -> Bool { indexKey.equals(self.indexKey) }

    /// Takes an entry of the group's index key, or of any when the group is empty.
    ///
    /// - Returns: Whether there is room for more.
    mutating func append(_ key: RawSpan, under indexKey: RawSpan) -> Bool {
        if isEmpty { self.indexKey = indexKey.array }
        keys.append(key.array)
        return !isFull
    }

    mutating func removeAll() { keys.removeAll(keepingCapacity: true) }
}
