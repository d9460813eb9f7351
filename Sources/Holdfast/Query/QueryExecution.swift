import HoldfastStorage

/// Runs a query on one state of a store: visits the records one at a time.
struct QueryExecution {
    typealias Visit = (_ key: RawSpan, _ value: RawSpan) throws -> Bool

    let query: Query<JSONObject>
    let state: StoreState
    let plan: QueryPlan
    let filter: RecordFilter
    let order: RecordOrder
    /// Where the page before ended.
    let start: RecordPosition?

    /// Prepares a query to be run by a plan, by default the cheapest.
    init(of query: Query<JSONObject>, on state: StoreState, by plan: QueryPlan? = nil) throws {
        try query.check()
        self.query = query
        self.state = state
        filter = RecordFilter(query.filters)
        order = RecordOrder(steps: query.order)
        start = try query.cursor.map { try $0.position(in: query) }
        self.plan = try plan ?? state.planner(for: query).plan(over: state.indexes(of: query))
    }

    /// Prepares a query whose records only matter by their number.
    init(counting query: Query<JSONObject>, on state: StoreState) throws {
        let query = query.cursor == nil ? query.unordered : query
        let planner = try state.planner(for: query)
        let plan = try planner.countingPlan(over: state.indexes(of: query))
        try self.init(of: query, on: state, by: plan)
    }

    /// Visits the query's records in its order.
    ///
    /// - Returns: The cursor behind the last one visited, or `nil` when none is left.
    func run(_ visit: Visit) throws -> QueryCursor? {
        if query.limit == 0 { return query.cursor }
        var left = query.limit ?? .max
        var last: RecordPosition?
        var next: QueryCursor?
        try forEachMatch { key, value in
            if let last {
                next = try QueryCursor(of: last, in: query)
                return false
            }
            left -= 1
            let goesOn = try visit(key, value)
            if !goesOn || left == 0 { last = try position(of: key, value) }
            return true
        }
        return next
    }

    /// The number of the query's records.
    func count() throws -> Int {
        if query.limit == 0 { return 0 }
        let limit = query.limit ?? .max
        if plan.isCovering, start == nil {
            return min(limit, try state.count(of: plan.access, in: plan.keys, table: query.table))
        }
        var count = 0
        let visit: Visit = { _, _ in
            count += 1
            return count < limit
        }
        if start == nil {
            try visitUnordered(mayEndEarly: query.limit != nil, visit)
        } else {
            try forEachMatch(visit)
        }
        return count
    }

    private func forEachMatch(_ visit: Visit) throws {
        try StoreError.translate(table: query.table) {
            if plan.sorts { return try sort(visit) }
            switch plan.access {
            case .table: try visitTable(visit)
            case .index(let index): try visitIndex(index, visit)
            }
        }
    }
}

extension QueryExecution {
    /// Where a record stands in the order.
    func position(of key: RawSpan, _ value: RawSpan) throws -> RecordPosition {
        do {
            let values = try filter.values(of: query.order, in: value)
            return RecordPosition(values: values, key: key.array)
        } catch {
            throw StoreError(error, at: key)
        }
    }

    /// Visits a record when it passes the filters.
    func visitMatch(_ key: RawSpan, _ value: RawSpan, _ visit: Visit) throws -> Bool {
        do {
            guard try filter.matches(value) else { return true }
        } catch {
            throw StoreError(error, at: key)
        }
        return try visit(key, value)
    }

    /// Visits the record that an index entry names when it passes the filters.
    func visitMatch(_ key: RawSpan, _ visit: Visit) throws -> Bool {
        guard let value = try state.storage.value(for: key) else {
            throw StoreError(
                .corruption,
                "An index names a record that is not there; run `hold verify`.",
                table: query.table,
                id: RecordKey.id(of: key)
            )
        }
        return try value.withRawSpan { try visitMatch(key, $0, visit) }
    }

    /// Visits the records of the table's ranges, which the query's order is the order of.
    private func visitTable(_ visit: Visit) throws {
        for range in plan.ranges(after: start?.key) {
            var goesOn = true
            try state.storage.scan(range, plan.direction) { key, value in
                goesOn = try visitMatch(key, value, visit)
                return goesOn
            }
            if !goesOn { return }
        }
    }
}
