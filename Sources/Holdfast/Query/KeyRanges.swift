import HoldfastStorage

/// Disjoint ranges of keys, ascending, that hold every record which passes a query's filters.
struct KeyRanges: Sendable {
    /// The number of ranges that filters are turned into in any case.
    static let limit = 1_000

    /// The greatest number of ranges that filters are turned into: as many as can be looked up one
    /// by one in less time than it takes to visit so many keys.
    static func limit(among count: Int) -> Int {
        let lookup = max(1, Int.bitWidth - count.leadingZeroBitCount)
        return max(limit, count / lookup)
    }

    /// The ranges; none of them is empty.
    private(set) var ranges: [KeyRange] = []
    /// Whether every record in the ranges passes the filters.
    private(set) var isExact = true
    /// The fields whose bounds made the ranges.
    private(set) var fields: [String] = []

    init() {}

    /// These ranges, put in order; where some overlap or touch they become one.
    init(_ ranges: [KeyRange], isExact: Bool, fields: [String]) {
        self.isExact = isExact
        self.fields = fields
        let sorted = ranges.filter { !$0.isEmpty }
            .sorted { $0.lower.lexicographicallyPrecedes($1.lower) }
        for range in sorted {
            guard let last = self.ranges.last, last.reaches(range.lower) else {
                self.ranges.append(range)
                continue
            }
            self.ranges[self.ranges.count - 1].extend(to: range.upper)
        }
    }

    /// Whether a key is in one of the ranges.
    func contains(_ key: [UInt8]) -> Bool {
        ranges.contains { range in
            !key.lexicographicallyPrecedes(range.lower)
                && (range.upper.map(key.lexicographicallyPrecedes) ?? true)
        }
    }
}

extension KeyRanges {
    /// Ranges of index keys: on the first fields single values, then intervals of the next one.
    init(of index: Index, in branches: [FilterBranch], limit: Int = Self.limit) {
        var ranges: [KeyRange] = []
        var isExact = true
        var used = 0
        for branch in branches {
            var walk = IndexWalk(of: index, in: branch, limit: limit / branches.count)
            walk.run()
            ranges += walk.ranges
            isExact = isExact && walk.isExact
            used = max(used, walk.used)
        }
        self.init(ranges, isExact: isExact, fields: Array(index.fields.prefix(used)))
    }
}

/// The ranges of one branch's records in an index, field by field.
private struct IndexWalk {
    let index: Index
    let branch: FilterBranch
    let limit: Int
    private(set) var ranges: [KeyRange] = []
    private(set) var isExact = true
    /// The number of fields that narrowed the ranges.
    private(set) var used = 0
    /// The keys of the single values so far.
    private var keys = [CompoundKey()]

    init(of index: Index, in branch: FilterBranch, limit: Int) {
        self.index = index
        self.branch = branch
        self.limit = limit
    }

    mutating func run() {
        for field in index.fields {
            guard !keys.isEmpty, let values = branch.values(of: field) else { break }
            used += 1
            guard keys.count * values.intervals.count + ranges.count <= limit else {
                for key in keys { append(key, values.hull) }
                isExact = false
                return
            }
            narrow(to: values)
        }
        for key in keys {
            ranges.append(key.range)
            if key.isTruncated || !branch.isCovered(fields: used) { isExact = false }
        }
    }

    private mutating func narrow(to values: ValueSet) {
        var longer: [CompoundKey] = []
        for key in keys {
            for interval in values.intervals {
                if let point = interval.point {
                    longer.append(key.appending(point))
                } else {
                    append(key, interval)
                }
            }
        }
        keys = longer
    }

    private mutating func append(_ key: CompoundKey, _ interval: ValueSet.Interval) {
        let (range, isExact) = key.range(narrowedTo: interval)
        ranges.append(range)
        if !isExact || !branch.isCovered(fields: used) { self.isExact = false }
    }
}
