import HoldfastStorage

/// Chooses how a query runs.
///
/// It is pure: the number of keys of a source is asked of its caller, and exact there.
struct QueryPlanner {
    let shape: QueryShape
    /// The number of keys in a source's ranges.
    let count: (KeySource) throws -> Int

    /// Every plan: over the ids, over each of the ordered indexes, over several together.
    func plans(over indexes: [Index]) throws -> [QueryPlan] {
        let ordered = indexes.filter { $0.kind != .words }.map { indexPlan(over: $0) }
        let gathering = try sources(over: indexes).map { gatheringPlan(from: $0) }
        return [tablePlan] + ordered + (gathering.map { [$0] } ?? [])
    }

    /// The cheapest plan.
    func plan(over indexes: [Index]) throws -> QueryPlan {
        let plans = try plans(over: indexes)
        if plans.count == 1 { return plans[0] }
        let counts = try plans.map { plan in
            try plan.sources.reduce(0) { try $0 + count($1) }
        }
        let costs = QueryCosts(of: plans, visiting: counts)
        var best = (plan: plans[0], cost: Double.infinity)
        for (plan, count) in zip(plans, counts) {
            let cost = costs.cost(of: plan, visiting: count)
            if cost <= best.cost { best = (plan, cost) }
        }
        return best.plan
    }

    /// The cheapest plan to count by: one that counts its keys, where there is one.
    func countingPlan(over indexes: [Index]) throws -> QueryPlan {
        if let plan = try plans(over: indexes).first(where: \.countsByKeys) { return plan }
        return try plan(over: indexes)
    }

    private var tablePlan: QueryPlan {
        QueryPlan(
            access: .table(KeyRanges(ofIDsFor: shape, in: shape.branches)),
            direction: shape.tie,
            sorts: !shape.order.isEmpty,
            shape: shape
        )
    }

    private func indexPlan(over index: Index) -> QueryPlan {
        let direction = direction(of: index)
        return QueryPlan(
            access: .index(index, KeyRanges(of: index, in: shape.branches)),
            direction: direction ?? shape.tie,
            sorts: direction == nil,
            shape: shape
        )
    }

    private func gatheringPlan(from sources: [KeySource]) -> QueryPlan {
        QueryPlan(
            access: .gathered(sources),
            direction: shape.tie,
            sorts: !shape.order.isEmpty,
            shape: shape
        )
    }

    /// The direction in which an index gives the query's order, or `nil` when it does not.
    ///
    /// Fields with one value order nothing. Those that are left have to be the query's, all in one
    /// direction: a further one would order records that the query orders by their ids.
    private func direction(of index: Index) -> ScanDirection? {
        let fields = index.fields.filter { shape.constant(of: $0) == nil }
        let order = shape.order
        guard fields.elementsEqual(order.map(\.field), by: UTF8Order.same) else { return nil }
        guard let first = order.first else { return shape.tie }
        guard order.allSatisfy({ $0.direction == first.direction }) else { return nil }
        return first.direction == .ascending ? .forward : .backward
    }
}

extension QueryPlanner {
    /// For each way to meet the filters the source of the fewest keys; `nil` when one has none, and
    /// where a single way has no search: then an index says the same.
    private func sources(over indexes: [Index]) throws -> [KeySource]? {
        let branches = shape.branches
        guard branches.count > 1 || branches.contains(where: { !$0.searches.isEmpty }) else {
            return nil
        }
        var sources: [KeySource] = []
        for branch in branches {
            var candidates = wordSources(of: branch, over: indexes)
            if branches.count > 1 { candidates += rangeSources(of: branch, over: indexes) }
            guard let source = try rarest(of: candidates) else { return nil }
            sources.append(source)
        }
        return sources
    }

    private func rarest(of candidates: [KeySource]) throws -> KeySource? {
        var best: (source: KeySource, count: Int)?
        for candidate in candidates {
            let count = try count(candidate)
            if count < best?.count ?? .max { best = (candidate, count) }
        }
        return best?.source
    }

    private func wordSources(of branch: FilterBranch, over indexes: [Index]) -> [KeySource] {
        branch.searches.flatMap { search in
            indexes.filter { search.isServed(by: $0) }.flatMap { index in
                search.terms.map { KeySource($0, of: search, in: index, branch: branch) }
            }
        }
    }

    private func rangeSources(of branch: FilterBranch, over indexes: [Index]) -> [KeySource] {
        var sources = [KeySource(index: nil, keys: KeyRanges(ofIDsFor: shape, in: [branch]))]
        for index in indexes where index.kind != .words {
            sources.append(KeySource(index: index, keys: KeyRanges(of: index, in: [branch])))
        }
        return sources.filter { !$0.keys.fields.isEmpty }
    }
}
