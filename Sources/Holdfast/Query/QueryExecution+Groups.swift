import HoldfastStorage

extension QueryExecution {
    /// Visits the records of an index that gives the first steps of the query's order, and sorts
    /// those that these steps leave equal.
    func visitGroups(
        of index: Index,
        _ keys: KeyRanges,
        steps: Int,
        _ visit: Visit
    ) throws {
        var group = RecordGroup(of: self, over: index, steps: steps)
        for range in ranges(of: keys, in: index, steps: steps) {
            var goesOn = true
            try state.storage.scanIndex(name(of: index), range, plan.direction) { indexKey, key in
                // The record behind the last group that is wanted is not read: its key tells.
                if group.isEnded(by: indexKey) {
                    goesOn = try self.visit(group.records, visit)
                    group.removeAll()
                    if !goesOn { return false }
                }
                return try visitMatch(key) { key, value in
                    let position = try position(of: key, value)
                    if let start, !order.precedes(start, position) { return true }
                    if group.isEnded(by: position, under: indexKey) {
                        goesOn = try self.visit(group.records, visit)
                        group.removeAll()
                    }
                    group.append(position, under: indexKey)
                    return goesOn
                }
            }
            if !goesOn { return }
        }
        _ = try self.visit(group.records, visit)
    }

    /// The ranges in the order of the visit, from the group on in which the visit begins.
    private func ranges(of keys: KeyRanges, in index: Index, steps: Int) -> [KeyRange] {
        let ordered = plan.ranges(of: keys, after: nil)
        guard let start else { return ordered }
        let key = groupKey(of: start, in: index, steps: steps).bytes
        return ordered.map { range in
            var range = range
            switch plan.direction {
            case .forward: range.raise(to: key)
            case .backward: range.sink(to: KeyRange.successor(ofPrefix: key))
            }
            return range
        }.filter { !$0.isEmpty }
    }

    /// What the index keys of a position's group begin with, as far as they are not cut.
    fileprivate func groupKey(
        of position: RecordPosition,
        in index: Index,
        steps: Int
    ) -> CompoundKey {
        let order = Set(plan.shape.order.prefix(steps).map { FieldName($0.field) })
        return plan.key(of: position, in: index, order: query.order) { order.contains($0) }
    }
}

/// Records that the first steps of an order leave equal.
private struct RecordGroup {
    private(set) var records: SortedRecords
    private let execution: QueryExecution
    private let index: Index
    private let stepCount: Int
    /// What the index keys of the group begin with; `nil` where they are cut.
    private var key: [UInt8]?
    /// Where the values that have to be equal stand among a position's.
    private let steps: [Int]
    private var last: RecordPosition?
    /// The index key of the last record where it was cut: then it says nothing of the order.
    private var cutKey: [UInt8] = []

    init(of execution: QueryExecution, over index: Index, steps: Int) {
        self.execution = execution
        self.index = index
        stepCount = steps
        records = SortedRecords(in: execution.order, limit: execution.heldCount)
        let order = execution.query.order
        self.steps = execution.plan.shape.order.prefix(steps).compactMap { step in
            order.firstIndex { UTF8Order.same($0.field, step.field) }
        }
    }

    /// Whether an index key is surely one of the next group's.
    func isEnded(by indexKey: RawSpan) -> Bool {
        guard let key, indexKey.byteCount >= key.count else { return key != nil }
        return !indexKey.extracting(0..<key.count).equals(key)
    }

    /// Whether a record belongs to the next group.
    func isEnded(by position: RecordPosition, under indexKey: RawSpan) -> Bool {
        guard let last else { return false }
        if !cutKey.isEmpty, indexKey.equals(cutKey) { return false }
        return !steps.allSatisfy { last.values[$0].order(to: position.values[$0]) == .same }
    }

    mutating func append(_ position: RecordPosition, under indexKey: RawSpan) {
        if last == nil {
            let key = execution.groupKey(of: position, in: index, steps: stepCount)
            self.key = key.isTruncated ? nil : key.bytes
        }
        records.insert(position)
        last = position
        cutKey = IndexKey.isTruncated(indexKey) ? indexKey.array : []
    }

    mutating func removeAll() {
        records.removeAll()
        last = nil
        key = nil
    }
}
