import HoldfastStorage

extension QueryExecution {
    /// Visits the records of an index that gives the query's order.
    func visitIndex(_ index: Index, _ keys: KeyRanges, _ visit: Visit) throws {
        var left = heldCount ?? .max
        func count(_ key: RawSpan, _ value: RawSpan) throws -> Bool {
            left -= 1
            return try visit(key, value)
        }
        var key: [UInt8]?
        if let start {
            let group = plan.key(of: start, in: index, order: query.order).bytes
            if keys.contains(group) {
                guard try visitGroup(group, of: index, after: start.key, count) else { return }
            }
            key = group
        }
        for range in plan.ranges(of: keys, after: key) {
            guard try visitRange(range, of: index, count, isEnough: { $0 >= left }) else { return }
        }
    }

    /// Visits a range, group by group where the entries of one key stand in another order.
    ///
    /// Once a group holds enough, its end is looked for in the index alone: the record behind it is
    /// none that was asked for.
    private func visitRange(
        _ range: KeyRange,
        of index: Index,
        _ visit: Visit,
        isEnough: (_ count: Int) -> Bool
    ) throws -> Bool {
        var group = IndexGroup(limit: 256)
        var rest = range
        while !rest.isEmpty {
            var goesOn = true
            group.removeAll()
            var (isReading, hasEnded, isLast) = (true, false, false)
            do {
                try scanValues(of: index, in: rest, plan.direction) { indexKey, key, value in
                    isReading = false
                    if !group.isEmpty, !group.has(indexKey) {
                        goesOn = try self.visit(group, visit)
                        group.removeAll()
                    }
                    if goesOn, isHeldBack(indexKey) {
                        let isMatch = try isMatch(key, value)
                        isReading = true
                        guard isMatch else { return true }
                        let hasRoom = group.append(key, value, under: indexKey)
                        isLast = isEnough(group.count)
                        return hasRoom && !isLast
                    }
                    if goesOn { goesOn = try visitMatch(key, value, visit) }
                    isReading = true
                    return goesOn
                }
                hasEnded = true
            } catch  where isReading && !group.isEmpty {
                // What is held back comes before the value that cannot be read, or has it in it.
                hasEnded = false
            }
            if !goesOn { return false }
            if try group.isFull || !hasEnded || (isLast && hasMore(than: group, in: index)) {
                guard try visitGroup(group.indexKey, of: index, visit) else { return false }
            } else {
                guard try self.visit(group, visit) else { return false }
                if !isLast { return true }
            }
            rest = plan.direction.part(of: rest, beyond: group.indexKey)
        }
        return true
    }

    /// Whether an index key has entries behind those of a group.
    private func hasMore(than group: IndexGroup, in index: Index) throws -> Bool {
        let keys = plan.direction.part(of: .all, beyond: group.lastKey)
        var hasMore = false
        try state.storage.scanIndex(name(of: index), at: group.indexKey, keys, plan.direction) {
            _ in
            hasMore = true
            return false
        }
        return hasMore
    }

    /// Whether entries of an index key have to be visited in another order than the index's.
    private func isHeldBack(_ indexKey: RawSpan) -> Bool {
        plan.direction != plan.shape.tie || IndexKey.isTruncated(indexKey)
    }

    /// Visits the entries of one index key, or those of them that come after a record's key.
    private func visitGroup(
        _ indexKey: [UInt8],
        of index: Index,
        after last: [UInt8]? = nil,
        _ visit: Visit
    ) throws -> Bool {
        if indexKey.withRawSpan({ IndexKey.isTruncated($0) }) {
            return try visitTruncatedGroup(indexKey, of: index, visit)
        }
        var goesOn = true
        guard let last else {
            try scanValues(of: index, in: .exactly(indexKey), plan.shape.tie) { _, key, value in
                goesOn = try visitMatch(key, value, visit)
                return goesOn
            }
            return goesOn
        }
        // What comes before is not read: it may be unreadable, and is no part of this page.
        let keys = plan.shape.tie.part(of: .all, beyond: last)
        let name = name(of: index)
        try state.storage.scanIndex(name, at: indexKey, keys, plan.shape.tie) { key in
            goesOn = try visitMatch(key, visit)
            return goesOn
        }
        return goesOn
    }

    /// Visits matches that were held back, in the other direction.
    private func visit(_ group: IndexGroup, _ visit: Visit) throws -> Bool {
        try group.forEachReversed(visit)
    }

    /// Visits entries whose keys are cut, so that only the records tell their order.
    private func visitTruncatedGroup(
        _ indexKey: [UInt8],
        of index: Index,
        _ visit: Visit
    ) throws -> Bool {
        var sorted = SortedRecords(in: order, limit: heldCount)
        try scanValues(of: index, in: .exactly(indexKey), .forward) { _, key, value in
            try visitMatch(key, value) { key, value in
                try insert(key, value, into: &sorted)
                return true
            }
        }
        return try self.visit(sorted, visit)
    }
}

extension QueryExecution {
    /// Visits the entries of an index with the values of their records.
    func scanValues(
        of index: Index,
        in range: KeyRange,
        _ direction: ScanDirection,
        _ visit: (_ indexKey: RawSpan, _ key: RawSpan, _ value: RawSpan) throws -> Bool
    ) throws {
        // An entry that is held back is visited when the next one comes.
        let held = direction == plan.shape.tie ? 0 : 1
        let expected = heldCount.map { min($0, 512) + held }
        try scanValues(of: index, in: range, direction, expecting: expected, visit)
    }

    /// Visits the entries of an index with the values of their records, about so many of them.
    func scanValues(
        of index: Index,
        in range: KeyRange,
        _ direction: ScanDirection,
        expecting count: Int?,
        _ visit: (_ indexKey: RawSpan, _ key: RawSpan, _ value: RawSpan) throws -> Bool
    ) throws {
        try state.storage.scanIndexValues(
            name(of: index),
            range,
            direction,
            expecting: count,
            visit
        )
    }

    func name(of index: Index) -> String {
        indexes.name(of: index) ?? TableIndex(index, on: query.table).engineName
    }
}
