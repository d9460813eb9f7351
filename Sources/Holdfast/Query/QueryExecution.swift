import HoldfastStorage

/// Runs a query on one state of a store: visits the records one at a time.
struct QueryExecution {
    typealias Visit = (_ key: RawSpan, _ value: RawSpan) throws -> Bool

    let query: Query<JSONObject>
    let state: StoreState
    let plan: QueryPlan
    let filter: RecordFilter
    let order: RecordOrder
    /// The place in the order behind which the visit begins; it need not be a record's.
    let start: RecordPosition?
    /// The indexes of the query's table.
    let indexes: TableIndexes
    /// Whether the visit goes on behind the limit, to learn whether there is a next page.
    private(set) var seeksNext = false
    /// The number of keys that a plan which gathers holds at a time.
    var stretch = KeyStretch.limit
    private let isCovering: Bool

    /// Prepares a query to be run by a plan, by default the cheapest, behind a place in its order,
    /// by default that of its cursor.
    init(
        of query: Query<JSONObject>,
        on state: StoreState,
        by plan: QueryPlan? = nil,
        after start: RecordPosition? = nil
    ) throws {
        try query.check()
        self.query = query
        self.state = state
        filter = RecordFilter(query.filters)
        order = RecordOrder(steps: query.order)
        self.start = try start ?? query.cursor.map { try $0.position(in: query) }
        if let plan {
            indexes = state.indexes(of: query.table)
            self.plan = plan
        } else {
            let planner = try state.planner(for: query)
            indexes = planner.tableIndexes
            self.plan = try planner.plan()
        }
        isCovering = self.plan.isCovering
    }

    /// Prepares a query whose records only matter by their number.
    init(
        counting query: Query<JSONObject>,
        on state: StoreState,
        by plan: QueryPlan? = nil
    ) throws {
        // Behind a cursor only the visit in order knows what is left.
        guard query.cursor == nil else {
            try self.init(of: query, on: state, by: plan)
            return
        }
        // Before it is planned: what is refused may be too deep to be compared.
        try query.check()
        let query = query.unordered
        let plan = try plan ?? state.planner(for: query).countingPlan()
        try self.init(of: query, on: state, by: plan)
    }

    /// Visits the query's records in its order, and reads nothing behind the last of them.
    func visitRecords(_ visit: Visit) throws {
        if query.limit == 0 { return }
        var left = query.limit ?? .max
        try forEachMatch { key, value in
            left -= 1
            return try visit(key, value) && left > 0
        }
    }

    /// Visits the query's records in its order, and looks whether there is one more behind them.
    ///
    /// - Returns: The cursor behind the last one visited, or `nil` when none is left.
    func run(_ visit: Visit) throws -> QueryCursor? {
        if query.limit == 0 { return query.cursor }
        var execution = self
        execution.seeksNext = true
        return try execution.visitPage(visit)
    }

    private func visitPage(_ visit: Visit) throws -> QueryCursor? {
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
        if start == nil, plan.countsByKeys {
            let count = try plan.sources.reduce(0) { count, source in
                try count + state.count(of: source, over: indexes, in: query.table)
            }
            return min(limit, count)
        }
        var count = 0
        if start == nil, plan.isCovering {
            try StoreError.translate(table: query.table) {
                try forEachKeyUnordered { _ in
                    count += 1
                    return count < limit
                }
            }
            return count
        }
        try forEachMatch(inOrder: start != nil) { _, _ in
            count += 1
            return count < limit
        }
        return count
    }

    /// Visits the matches behind the start, in the query's order or in any, until `visit` returns
    /// `false`.
    func forEachMatch(inOrder: Bool = true, _ visit: Visit) throws {
        try StoreError.translate(table: query.table) {
            if !inOrder { return try visitUnordered(mayEndEarly: query.limit != nil, visit) }
            switch (plan.ordering, plan.access) {
            case (.sort, _): try sort(visit)
            case (_, .table(let keys)): try visitTable(keys, after: start?.key, visit)
            case (.groups(let steps), .index(let index, let keys)):
                try visitGroups(of: index, keys, steps: steps, visit)
            case (_, .index(let index, let keys)): try visitIndex(index, keys, visit)
            case (_, .gathered):
                // Where every key is a match, those that the limit leaves are enough.
                let stretch = isCovering ? min(stretch, heldCount ?? .max) : stretch
                try forEachKey(behind: start?.key, stretch: stretch) { try visitMatch($0, visit) }
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
        try !isMatch(key, value) || visit(key, value)
    }

    /// Whether a record passes the filters, which is known of every record of some plans.
    func isMatch(_ key: RawSpan, _ value: RawSpan) throws -> Bool {
        if isCovering { return true }
        do {
            return try filter.matches(value)
        } catch {
            throw StoreError(error, at: key)
        }
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
    func visitTable(_ keys: KeyRanges, after start: [UInt8]? = nil, _ visit: Visit) throws {
        for range in plan.ranges(of: keys, after: start) {
            var goesOn = true
            try state.storage.scan(range, plan.direction) { key, value in
                goesOn = try visitMatch(key, value, visit)
                return goesOn
            }
            if !goesOn { return }
        }
    }
}
