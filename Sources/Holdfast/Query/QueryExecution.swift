import HoldfastStorage

struct QueryExecution {
    let plan: QueryPlan
    init(of query: Query<JSONObject>, on state: StoreState) throws {
        plan = QueryPlan()
    }
    func run(_ visit: (_ key: RawSpan, _ value: RawSpan) throws -> Bool) throws -> QueryCursor? {
        nil
    }
    func count() throws -> Int { 0 }
}
