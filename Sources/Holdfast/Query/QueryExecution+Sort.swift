import HoldfastStorage

extension QueryExecution {
    /// Visits every match in any order, keeps the positions that the limit leaves, and reads those
    /// records again in the order.
    func sort(_ visit: Visit) throws {
        var sorted = SortedRecords(in: order, limit: heldCount)
        try visitUnordered { key, value in
            try insert(key, value, into: &sorted)
            return true
        }
        _ = try self.visit(sorted, visit)
    }

    /// The number of positions that the visit needs, or `nil` for all.
    ///
    /// One more than its limit tells whether a page is the last; the greatest limit is none.
    var heldCount: Int? { query.limit.flatMap { $0 < .max ? $0 + (seeksNext ? 1 : 0) : nil } }

    /// Keeps a match when it comes after the page before.
    func insert(_ key: RawSpan, _ value: RawSpan, into sorted: inout SortedRecords) throws {
        let position = try position(of: key, value)
        if let start, !order.precedes(start, position) { return }
        sorted.insert(position)
    }

    /// Reads the records at these positions again and visits them.
    func visit(_ sorted: SortedRecords, _ visit: Visit) throws -> Bool {
        for position in sorted.sorted() {
            guard try position.key.withRawSpan({ try visitMatch($0, visit) }) else { return false }
        }
        return true
    }

    /// Visits every match, in no order; where the visit may end early, so that it begins at once.
    func visitUnordered(mayEndEarly: Bool = false, _ visit: Visit) throws {
        var goesOn = true
        switch plan.access {
        case .table(let keys) where mayEndEarly: try visitTable(keys, visit)
        case .table(let keys):
            for range in keys.ranges where goesOn {
                try state.storage.scanUnordered(range) { key, value in
                    goesOn = try visitMatch(key, value, visit)
                    return goesOn
                }
            }
        case .index(let index, let keys):
            for range in keys.ranges where goesOn {
                try scanValues(of: index, in: range, .forward, expecting: nil) { _, key, value in
                    goesOn = try visitMatch(key, value, visit)
                    return goesOn
                }
            }
        case .gathered: try forEachKeyUnordered { try visitMatch($0, visit) }
        }
    }
}
