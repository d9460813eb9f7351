extension Transaction where Self: ~Copyable {
    /// The typed records of a query, in its order.
    ///
    /// - Throws: ``StoreError`` `.invalidQuery` or `.invalidCursor`; `.wrongType` for the first
    ///   record that has another shape than the type.
    /// - Complexity: What ``explain(_:)`` says. Beside the result a sort holds the ordering values
    ///   of what it sorts, and a plan that gathers ids some of them, at most 131,072.
    public func fetch<Row: Record>(_ query: Query<Row>) throws -> [Row] {
        var rows: [Row] = []
        try execution(of: query).visitRecords { key, value in
            rows.append(try state.decode(Row.self, value, at: key))
            return true
        }
        return rows
    }

    /// The records of a query as JSON objects, in its order.
    ///
    /// - Throws: ``StoreError`` `.invalidQuery` or `.invalidCursor`.
    public func fetch(_ query: Query<JSONObject>) throws -> [JSONObject] {
        var rows: [JSONObject] = []
        try execution(of: query).visitRecords { key, value in
            rows.append(try state.decode(value, at: key))
            return true
        }
        return rows
    }

    /// The first record of a query, or `nil` when there is none; nothing behind it is read.
    ///
    /// - Throws: As `fetch`.
    public func first<Row: Record>(_ query: Query<Row>) throws -> Row? {
        try fetch(query.limit(min(query.limit ?? 1, 1))).first
    }

    /// The first record of a query as a JSON object, or `nil` when there is none.
    ///
    /// - Throws: As `fetch`.
    public func first(_ query: Query<JSONObject>) throws -> JSONObject? {
        try fetch(query.limit(min(query.limit ?? 1, 1))).first
    }

    /// The typed records of a query, and the cursor of the page after them.
    ///
    /// It looks for one record more than the limit, to tell whether there is a next page.
    ///
    /// - Throws: As `fetch`.
    public func page<Row: Record>(_ query: Query<Row>) throws -> QueryPage<Row> {
        var rows: [Row] = []
        let next = try execution(of: query).run { key, value in
            rows.append(try state.decode(Row.self, value, at: key))
            return true
        }
        return QueryPage(rows: rows, next: next)
    }

    /// The records of a query as JSON objects, and the cursor of the page after them.
    ///
    /// It looks for one record more than the limit, to tell whether there is a next page.
    ///
    /// - Throws: As `fetch`.
    public func page(_ query: Query<JSONObject>) throws -> QueryPage<JSONObject> {
        try page(execution(of: query))
    }

    /// Visits the records of a query as JSON objects, one at a time, in its order.
    ///
    /// Use it for results that are larger than memory: one record is held at a time. A sort without
    /// a limit holds the ordering values of all, though, and a plan that gathers ids some of the
    /// ids, at most 131,072; ``explain(_:)`` says when it is so.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - visit: Called in this function with each record's id and the record; `false` ends it.
    /// - Returns: The cursor that goes on after the last record visited, or `nil` when none is
    ///   left.
    /// - Throws: What `visit` throws, or as `fetch`.
    @discardableResult
    public func forEach(
        _ query: Query<JSONObject>,
        _ visit: (_ id: RecordID, _ object: JSONObject) throws -> Bool
    ) throws -> QueryCursor? {
        try execution(of: query).run { key, value in
            let object = try state.decode(value, at: key)
            return try visit(RecordKey.id(of: key), object)
        }
    }

    /// The number of records of a query; its limit and cursor count too.
    ///
    /// - Complexity: O(log n) when an index or the ids cover the filters exactly, else as a fetch.
    public func count<Row>(_ query: Query<Row>) throws -> Int {
        try QueryExecution(counting: query.untyped, on: state).count()
    }

    /// Whether the query has any record.
    public func exists<Row>(_ query: Query<Row>) throws -> Bool {
        try count(query.limit(min(query.limit ?? 1, 1))) > 0
    }

    /// How the query would run: which keys it would visit, and what it would sort.
    public func explain<Row>(_ query: Query<Row>) throws -> QueryPlan {
        try execution(of: query).plan
    }

    /// Every way in which the query can run, the cheapest or not.
    package func plans<Row>(for query: Query<Row>) throws -> [QueryPlan] {
        try state.planner(for: query.untyped).plans()
    }

    /// The number of records of a query, by a given plan.
    package func count(_ query: Query<JSONObject>, by plan: QueryPlan) throws -> Int {
        try QueryExecution(counting: query, on: state, by: plan).count()
    }

    /// The records of a query, and the cursor of the page after them, by a given plan, which
    /// gathers at most `stretch` keys at a time.
    package func page(
        _ query: Query<JSONObject>,
        by plan: QueryPlan,
        stretch: Int = KeyStretch.limit
    ) throws -> QueryPage<JSONObject> {
        var execution = try QueryExecution(of: query, on: state, by: plan)
        execution.stretch = stretch
        return try page(execution)
    }

    private func page(_ execution: QueryExecution) throws -> QueryPage<JSONObject> {
        var rows: [JSONObject] = []
        let next = try execution.run { key, value in
            rows.append(try state.decode(value, at: key))
            return true
        }
        return QueryPage(rows: rows, next: next)
    }

    private func execution<Row>(of query: Query<Row>) throws -> QueryExecution {
        try QueryExecution(of: query.untyped, on: state)
    }
}
