package import HoldfastStorage

/// Brings a window up to date with the store: only what has changed is read, where that is known.
package struct QueryEvaluation<Row: Sendable>: Sendable {
    let filter: RecordFilter
    let order: RecordOrder
    let query: Query<JSONObject>
    private let start: RecordPosition?
    private let coding: RowCoding<Row>
    private let catalog = IndexCatalog()
    private let slack: Int

    /// Checks a query.
    ///
    /// - Throws: ``StoreError`` `.invalidQuery` or `.invalidCursor`.
    package init(
        of query: Query<Row>,
        _ coding: RowCoding<Row>,
        slack: Int = 32
    ) throws {
        let query = query.untyped
        try query.check()
        self.query = query
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

    /// Brings a window to a snapshot.
    ///
    /// - Parameters:
    ///   - window: The window, as an earlier snapshot had it.
    ///   - changed: What has changed since, and maybe more; of what is missing here the window
    ///     knows that it is none of its own.
    ///   - snapshot: The snapshot.
    /// - Returns: The result, if it differs from the window's last one.
    /// - Throws: ``StoreError``; what the window holds is then of no use.
    package func update(
        _ window: inout QueryWindow<Row>,
        with changed: ChangedKeys,
        in snapshot: any StorageSnapshot
    ) throws -> [Row]? {
        let state = StoreState(storage: snapshot, catalog: catalog)
        switch changed {
        case .all: window.removeAll()
        case .some(let keys): window.apply(try keys.map { try update(of: $0, in: state) })
        }
        if let count = window.missingCount {
            window.append(try entries(count, after: window.reach, in: state), of: count)
        }
        return try window.takeResult({ try coding.decode($0, $1, state) }, coding.isSame)
    }

    /// Where a record stands in the query's order; `nil` for one that is none of the query's.
    func position(of key: [UInt8], _ document: [UInt8]) throws(DocumentError) -> RecordPosition? {
        try document.withRawSpan { document throws(DocumentError) in
            guard try filter.matches(document) else { return nil }
            let values = try filter.values(of: query.order, in: document)
            let position = RecordPosition(values: values, key: key)
            if let start, !order.precedes(start, position) { return nil }
            return position
        }
    }

    private func update(
        of key: [UInt8],
        in state: StoreState
    ) throws -> QueryWindow<Row>.Update {
        let document = try StoreError.translate(table: query.table) { try state.value(for: key) }
        guard let document else { return .init(key: key, entry: nil) }
        do throws(DocumentError) {
            let position = try position(of: key, document)
            return .init(key: key, entry: position.map { .init(position: $0, document: document) })
        } catch {
            throw key.withRawSpan { StoreError(error, at: $0) }
        }
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
            let position = try execution.position(of: key, value)
            entries.append(.init(position: position, document: value.array))
            return entries.count < count
        }
        return entries
    }
}
