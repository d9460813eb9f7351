import HoldfastStorage

extension StoreState {
    /// The planner of a query on this state.
    func planner(for query: Query<JSONObject>) throws -> QueryPlanner {
        let table = try tableRecord(of: query.table) ?? TableRecord(idField: "id")
        return QueryPlanner(shape: QueryShape(of: query, in: table)) { access, keys in
            try count(of: access, in: keys, table: query.table)
        }
    }

    /// The indexes that a query can run over.
    func indexes(of query: Query<JSONObject>) -> [Index] {
        builtIndexes(of: query.table).map(\.index)
    }

    /// The number of keys in ranges of a table or of one of its indexes.
    ///
    /// - Complexity: O(log n) a range.
    func count(
        of access: QueryPlan.Access,
        in keys: KeyRanges,
        table: TableName
    ) throws -> Int {
        try StoreError.translate(table: table) {
            switch access {
            case .table:
                return try keys.ranges.reduce(0) { try $0 + storage.count(in: $1) }
            case .index(let index):
                let name = TableIndex(index, on: table).engineName
                return try keys.ranges.reduce(0) { try $0 + storage.countIndex(name, in: $1) }
            }
        }
    }
}
