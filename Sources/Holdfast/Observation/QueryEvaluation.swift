package import HoldfastStorage

/// Brings a window up to date with the store: only what has changed is read, where that is known.
package struct QueryEvaluation<Row: Sendable>: Sendable {
    let filter: RecordFilter
    let order: RecordOrder
    let query: Query<JSONObject>
    private let start: RecordPosition?
    private let storage: any Storage
    private let coding: RowCoding<Row>
    private let slack: Int

    /// Checks a query.
    ///
    /// - Throws: ``StoreError`` `.invalidQuery` or `.invalidCursor`.
    package init(
        of query: Query<Row>,
        in storage: any Storage,
        _ coding: RowCoding<Row>,
        slack: Int = 32
    ) throws {
        let query = query.untyped
        try query.check()
        self.query = query
        self.storage = storage
        self.coding = coding
        self.slack = slack
        filter = RecordFilter(query.filters)
        order = RecordOrder(steps: query.order)
        start = try query.cursor.map { try $0.position(in: query) }
    }

    /// A window that holds nothing yet.
    func makeWindow() -> QueryWindow<Row> {
        QueryWindow(in: order, limit: query.limit, slack: slack)
    }

    /// Brings a window to the newest snapshot.
    ///
    /// - Returns: The result, if it differs from the window's last one.
    /// - Throws: ``StoreError``; what the window holds is then of no use.
    package func update(
        _ window: inout QueryWindow<Row>,
        with changed: ChangedKeys
    ) throws -> [Row]? {
        let state = try StoreError.translate { StoreState(storage: try storage.snapshot()) }
        switch changed {
        case .all: window.removeAll()
        case .some(let keys): window.apply(try keys.map { try update(of: $0, in: state) })
        }
        if let count = window.missingCount {
            window.append(try entries(count, after: window.reach, in: state), of: count)
        }
        return window.takeResult(coding.isSame)
    }

    private func update(
        of key: [UInt8],
        in state: StoreState
    ) throws -> QueryWindow<Row>.Update {
        let value = try StoreError.translate(table: query.table) { try state.value(for: key) }
        guard let value else { return .init(key: key, entry: nil) }
        return try value.withRawSpan { value in
            try key.withRawSpan { span in
                .init(key: key, entry: try entry(span, value, in: state))
            }
        }
    }

    /// The entry of a record; `nil` where it is none of the query's.
    private func entry(
        _ key: RawSpan,
        _ value: RawSpan,
        in state: StoreState
    ) throws -> QueryWindow<Row>.Entry? {
        let position: RecordPosition
        do throws(DocumentError) {
            guard try filter.matches(value) else { return nil }
            let values = try filter.values(of: query.order, in: value)
            position = RecordPosition(values: values, key: key.array)
        } catch {
            throw StoreError(error, at: key)
        }
        if let start, !order.precedes(start, position) { return nil }
        return .init(position: position, row: try coding.decode(value, key, state))
    }

    /// The first matches behind the reach, at most `count` of them.
    private func entries(
        _ count: Int,
        after reach: QueryWindow<Row>.Reach,
        in state: StoreState
    ) throws -> [QueryWindow<Row>.Entry] {
        var start = start
        if case .through(let position) = reach { start = position }
        let execution = try QueryExecution(
            of: query.limit(count < .max ? count : nil),
            on: state,
            after: start
        )
        var entries: [QueryWindow<Row>.Entry] = []
        try execution.forEachMatch { key, value in
            let row = try coding.decode(value, key, state)
            let position = try execution.position(of: key, value)
            entries.append(.init(position: position, row: row))
            return entries.count < count
        }
        return entries
    }
}
