import HoldfastStorage

extension QueryExecution {
    /// Visits the records of an index that gives the query's order.
    func visitIndex(_ index: Index, _ keys: KeyRanges, _ visit: Visit) throws {
        var key: [UInt8]?
        if let start {
            let group = plan.key(of: start, in: index, order: query.order).bytes
            if keys.contains(group) {
                guard try visitGroup(group, of: index, after: start.key, visit) else { return }
            }
            key = group
        }
        for range in plan.ranges(of: keys, after: key) {
            guard try visitRange(range, of: index, visit) else { return }
        }
    }

    /// Visits a range, group by group where the entries of one key stand in another order.
    private func visitRange(_ range: KeyRange, of index: Index, _ visit: Visit) throws -> Bool {
        var group = IndexGroup(limit: 256)
        var rest = range
        while !rest.isEmpty {
            var goesOn = true
            group.removeAll()
            try state.storage.scanIndex(name(of: index), rest, plan.direction) { indexKey, key in
                if !group.isEmpty, !group.has(indexKey) {
                    goesOn = try self.visit(group, visit)
                    group.removeAll()
                }
                if !goesOn { return false }
                if plan.direction != plan.shape.tie || IndexKey.isTruncated(indexKey) {
                    return group.append(key, under: indexKey)
                }
                goesOn = try visitMatch(key, visit)
                return goesOn
            }
            if !goesOn { return false }
            guard group.isFull else { return try self.visit(group, visit) }
            guard try visitGroup(group.indexKey, of: index, visit) else { return false }
            rest = plan.direction.part(of: rest, beyond: group.indexKey)
        }
        return true
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
        let keys = last.map { plan.shape.tie.part(of: .all, beyond: $0) } ?? .all
        let name = name(of: index)
        try state.storage.scanIndex(name, at: indexKey, keys, plan.shape.tie) { key in
            goesOn = try visitMatch(key, visit)
            return goesOn
        }
        return goesOn
    }

    /// Visits entries that were held back, in the other direction.
    private func visit(_ group: IndexGroup, _ visit: Visit) throws -> Bool {
        try group.forEachReversed { try visitMatch($0, visit) }
    }

    /// Visits entries whose keys are cut, so that only the records tell their order.
    private func visitTruncatedGroup(
        _ indexKey: [UInt8],
        of index: Index,
        _ visit: Visit
    ) throws -> Bool {
        var sorted = SortedRecords(in: order, limit: heldCount)
        try state.storage.scanIndex(name(of: index), at: indexKey, .all, .forward) { key in
            try visitMatch(key) { key, value in
                try insert(key, value, into: &sorted)
                return true
            }
        }
        return try self.visit(sorted, visit)
    }
}

extension QueryExecution {
    func name(of index: Index) -> String {
        indexes.name(of: index) ?? TableIndex(index, on: query.table).engineName
    }
}
