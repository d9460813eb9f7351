import HoldfastStorage

/// Chooses how a query runs.
///
/// It is pure: the number of keys in a range is asked of its caller, and exact there.
struct QueryPlanner {
    let shape: QueryShape
    /// The number of keys that a plan visits.
    let visits: (QueryPlan.Access, KeyRanges) throws -> Int

    /// Every plan: over the ids, and over each of the indexes.
    func plans(over indexes: [Index]) -> [QueryPlan] {
        [tablePlan] + indexes.map { indexPlan(over: $0) }
    }

    /// The cheapest plan.
    func plan(over indexes: [Index]) throws -> QueryPlan {
        let plans = plans(over: indexes)
        if plans.count == 1 { return plans[0] }
        let counts = try plans.map { try visits($0.access, $0.keys) }
        let matches = counts.min() ?? 0
        var best = (plan: plans[0], cost: Double.infinity)
        for (plan, count) in zip(plans, counts) {
            let cost = cost(of: plan, visiting: count, matches: matches)
            if cost <= best.cost { best = (plan, cost) }
        }
        return best.plan
    }

    /// The cheapest plan to count by: one whose ranges are the result, where there is one.
    func countingPlan(over indexes: [Index]) throws -> QueryPlan {
        if let plan = plans(over: indexes).first(where: \.isCovering) { return plan }
        return try plan(over: indexes)
    }

    private var tablePlan: QueryPlan {
        QueryPlan(
            access: .table,
            keys: KeyRanges(ofIDsFor: shape),
            direction: shape.tie,
            sorts: !shape.order.isEmpty,
            shape: shape
        )
    }

    private func indexPlan(over index: Index) -> QueryPlan {
        let direction = direction(of: index)
        return QueryPlan(
            access: .index(index),
            keys: KeyRanges(of: index, for: shape),
            direction: direction ?? shape.tie,
            sorts: direction == nil,
            shape: shape
        )
    }

    /// The direction in which an index gives the query's order, or `nil` when it does not.
    ///
    /// Fields with one value order nothing. Those that are left have to be the query's, all in one
    /// direction: a further one would order records that the query orders by their ids.
    private func direction(of index: Index) -> ScanDirection? {
        let fields = index.fields.filter { shape.bounds(of: $0)?.isConstant != true }
        let order = shape.order
        guard fields.elementsEqual(order.map(\.field), by: UTF8Order.same) else { return nil }
        guard let first = order.first else { return shape.tie }
        guard order.allSatisfy({ $0.direction == first.direction }) else { return nil }
        return first.direction == .ascending ? .forward : .backward
    }

    /// The records that a plan is expected to read, weighed.
    ///
    /// The smallest of the plans' ranges bounds the matches. Where the order is given and a limit
    /// set, the visit ends early, if the matches are spread evenly.
    private func cost(of plan: QueryPlan, visiting count: Int, matches: Int) -> Double {
        var visited = Double(count)
        if !plan.sorts, let limit = shape.limit, matches > limit {
            visited *= Double(limit) / Double(matches)
        }
        switch plan.access {
        case .table: return visited + (plan.sorts ? sortCost(of: matches) : 0)
        case .index: return visited * 2 + (plan.sorts ? sortCost(of: matches) : 0)
        }
    }

    /// A sort reads the records that it keeps a second time.
    private func sortCost(of matches: Int) -> Double {
        1 + Double(min(matches, shape.limit ?? matches))
    }
}
