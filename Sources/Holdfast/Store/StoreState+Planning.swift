import HoldfastStorage

extension StoreState {
    /// The planner of a query on this state, over its table's indexes.
    func planner(for query: Query<JSONObject>) throws -> QueryPlanner {
        let table = try tableRecord(of: query.table) ?? TableRecord(idField: "id")
        let indexes = indexes(of: query.table)
        var shape = QueryShape(of: query, in: table)
        if shape.hasManyRanges {
            shape.rangeLimit = KeyRanges.limit(among: try count(of: query.table))
        }
        return QueryPlanner(shape: shape, tableIndexes: indexes) { source in
            try count(of: source, over: indexes, in: query.table)
        }
    }

    /// The number of keys in a source's ranges, with the table's indexes.
    ///
    /// - Complexity: O(log n) a range.
    func count(
        of source: KeySource,
        over indexes: TableIndexes,
        in table: TableName
    ) throws -> Int {
        try StoreError.translate(table: table) {
            guard let index = source.index else {
                return try source.keys.ranges.reduce(0) { try $0 + storage.count(in: $1) }
            }
            let name = indexes.name(of: index) ?? TableIndex(index, on: table).engineName
            return try source.keys.ranges.reduce(0) { try $0 + storage.countIndex(name, in: $1) }
        }
    }
}
