import HoldfastStorage

/// Chooses how a query runs.
///
/// It is pure: the number of keys of a source is asked of its caller, and exact there.
struct QueryPlanner {
    let shape: QueryShape
    /// The table's indexes.
    let tableIndexes: TableIndexes
    /// The number of keys in a source's ranges.
    let count: (KeySource) throws -> Int

    private var indexes: [Index] { tableIndexes.indexes }

    /// Every plan: over the ids, over each of the ordered indexes that helps, over several
    /// together.
    func plans() throws -> [QueryPlan] {
        let ordered = indexes.filter { $0.kind != .words }.compactMap { indexPlan(over: $0) }
        let gathering = try sources().map { gatheringPlan(from: $0) }
        return [tablePlan] + ordered + (gathering.map { [$0] } ?? [])
    }

    /// The cheapest plan.
    func plan() throws -> QueryPlan {
        try cheapest(of: plans())
    }

    /// The cheapest plan to count by: one that counts its keys, where there is one.
    func countingPlan() throws -> QueryPlan {
        let plans = try plans()
        return try plans.first(where: \.countsByKeys) ?? cheapest(of: plans)
    }

    private func cheapest(of plans: [QueryPlan]) throws -> QueryPlan {
        if plans.count == 1 { return plans[0] }
        let counts = try plans.map { plan in
            try plan.sources.reduce(0) { try $0 + count($1) }
        }
        let costs = QueryCosts(of: plans, visiting: counts)
        var best = (plan: plans[0], cost: Double.infinity)
        for (plan, count) in zip(plans, counts) {
            let cost = costs.cost(of: plan, visiting: count)
            if cost < best.cost || (cost == best.cost && plan.narrowness >= best.plan.narrowness) {
                best = (plan, cost)
            }
        }
        return best.plan
    }

    private var tablePlan: QueryPlan {
        QueryPlan(
            access: .table(KeyRanges(ofIDsFor: shape, in: shape.branches)),
            direction: shape.tie,
            ordering: shape.order.isEmpty ? .given : .sort,
            shape: shape
        )
    }

    /// A plan over an index; `nil` where the index neither narrows what is visited nor gives an
    /// order.
    private func indexPlan(over index: Index) -> QueryPlan? {
        let keys = KeyRanges(of: index, in: shape.branches, limit: shape.rangeLimit)
        let (direction, ordering) = ordering(of: index)
        if case .sort = ordering {
            if keys.fields.isEmpty { return nil }
            if shape.order.isEmpty {
                return gatheringPlan(from: [KeySource(index: index, keys: keys)])
            }
        }
        return QueryPlan(
            access: .index(index, keys),
            direction: direction,
            ordering: ordering,
            shape: shape
        )
    }

    private func gatheringPlan(from sources: [KeySource]) -> QueryPlan {
        QueryPlan(
            access: .gathered(sources),
            direction: shape.tie,
            ordering: shape.order.isEmpty ? .given : .sort,
            shape: shape
        )
    }

    /// How far an index gives the query's order, and in which direction.
    ///
    /// Fields with one value order nothing. Of those that are left the first ones have to be the
    /// query's, all in one direction. A further one would order records that the query orders by
    /// their ids.
    private func ordering(of index: Index) -> (ScanDirection, QueryPlan.Ordering) {
        let fields = index.fields.filter { shape.constant(of: $0) == nil }
        let order = shape.order
        guard let first = order.first?.direction else {
            return (shape.tie, fields.isEmpty ? .given : .sort)
        }
        let steps = zip(fields, order).prefix { field, step in
            step.direction == first && UTF8Order.same(field, step.field)
        }
        let direction: ScanDirection = first == .ascending ? .forward : .backward
        if steps.isEmpty { return (shape.tie, .sort) }
        let isWhole = steps.count == order.count && steps.count == fields.count
        return (direction, isWhole ? .given : .groups(steps: steps.count))
    }
}

extension QueryPlanner {
    /// For each way to meet the filters the source of the fewest keys; `nil` when one has none, and
    /// where a single way has no search: then an index says the same.
    private func sources() throws -> [KeySource]? {
        let branches = shape.branches
        guard branches.count > 1 || branches.contains(where: { !$0.searches.isEmpty }) else {
            return nil
        }
        var sources: [KeySource] = []
        for branch in branches {
            var candidates = try wordSources(of: branch)
            if branches.count > 1 { candidates += rangeSources(of: branch) }
            guard let source = try rarest(of: candidates) else { return nil }
            sources.append(source)
        }
        return sources
    }

    private func rarest(of candidates: [KeySource]) throws -> KeySource? {
        var best: (source: KeySource, count: Int)?
        for candidate in candidates {
            let count = try count(candidate)
            guard let current = best else {
                best = (candidate, count)
                continue
            }
            let saysMore = candidate.keys.isExact && !current.source.keys.isExact
            if count < current.count || (count == current.count && saysMore) {
                best = (candidate, count)
            }
        }
        return best?.source
    }

    /// For each search, and each index that serves it, the rarest of its words.
    private func wordSources(of branch: FilterBranch) throws -> [KeySource] {
        var sources: [KeySource] = []
        for search in branch.searches {
            for index in indexes where search.isServed(by: index) {
                let words = search.terms.map { KeySource($0, in: index) }
                guard let term = try rarest(of: words)?.term else { continue }
                sources.append(KeySource(term, of: search, in: index, branch: branch))
            }
        }
        return sources
    }

    private func rangeSources(of branch: FilterBranch) -> [KeySource] {
        var sources = [KeySource(index: nil, keys: KeyRanges(ofIDsFor: shape, in: [branch]))]
        for index in indexes where index.kind != .words {
            let keys = KeyRanges(of: index, in: [branch], limit: shape.rangeLimit)
            sources.append(KeySource(index: index, keys: keys))
        }
        return sources.filter { !$0.keys.fields.isEmpty }
    }
}
