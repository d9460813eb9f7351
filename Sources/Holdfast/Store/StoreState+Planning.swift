import HoldfastStorage

extension StoreState {
    /// The planner of a query on this state.
    func planner(for query: Query<JSONObject>) throws -> QueryPlanner {
        let table = try tableRecord(of: query.table) ?? TableRecord(idField: "id")
        return QueryPlanner(shape: QueryShape(of: query, in: table)) { source in
            try count(of: source, in: query.table)
        }
    }

    /// The indexes that a query can run over.
    func indexes(of query: Query<JSONObject>) -> [Index] {
        builtIndexes(of: query.table).map(\.index)
    }

    /// The number of keys in a source's ranges.
    ///
    /// - Complexity: O(log n) a range.
    func count(of source: KeySource, in table: TableName) throws -> Int {
        try StoreError.translate(table: table) {
            guard let index = source.index else {
                return try source.keys.ranges.reduce(0) { try $0 + storage.count(in: $1) }
            }
            let name = TableIndex(index, on: table).engineName
            return try source.keys.ranges.reduce(0) { try $0 + storage.countIndex(name, in: $1) }
        }
    }
}
