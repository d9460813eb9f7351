/// What plans of one query are expected to cost, in reads of a record in the order of the keys.
struct QueryCosts {
    /// A read in another order than that of the keys, its index entry included.
    private static let indexRead = 2.0
    /// A key that is gathered.
    private static let gathering = 0.5
    /// Looking for words in a record's texts.
    private static let searching = 3.0
    /// The part of the records of the narrowest ranges that is taken to match, where no plan knows.
    private static let guess = 0.25
    /// The weight of the worst case: a plan that may end early is taken only where even a visit of
    /// everything costs no more than so many times a sure plan.
    private static let risk = 1.0 / 20

    /// The part of everything that records with equal values are taken to be.
    private static let group = 0.1

    /// The number of matches, as far as it is known.
    private let matches: Double

    init(of plans: [QueryPlan], visiting counts: [Int]) {
        let known = zip(plans, counts).first { $0.0.countsByKeys }?.1
        matches = known.map(Double.init) ?? Double(counts.min() ?? 0) * Self.guess
    }

    /// The expected cost of a plan that may visit so many keys.
    ///
    /// Where the order is given and a limit set, the visit ends early, if the matches are spread
    /// evenly; that they may not be is the risk.
    func cost(of plan: QueryPlan, visiting count: Int) -> Double {
        let all = Double(count) * readCost(of: plan)
        let added = gatheringCost(of: plan, count) + sortCost(of: plan)
        guard let limit = plan.shape.limit.map(Double.init), limit < matches else {
            return added + all
        }
        let part =
            switch plan.ordering {
            case .given: limit / matches
            case .groups: min(1, limit / matches + Self.group)
            case .sort: 1.0
            }
        let expected = all * part
        return added + expected + (plan.isCovering ? 0 : (all - expected) * Self.risk)
    }

    private func readCost(of plan: QueryPlan) -> Double {
        let searches = !plan.isCovering && plan.shape.filters.contains(where: \.hasSearch)
        let searching = searches ? Self.searching : 0
        if case .table = plan.access { return 1 + searching }
        return Self.indexRead + searching
    }

    private func gatheringCost(of plan: QueryPlan, _ count: Int) -> Double {
        guard case .gathered(let sources) = plan.access else { return 0 }
        let streams = sources.count == 1 && sources[0].onlyIndexKey != nil
        return streams ? 0 : Double(count) * Self.gathering
    }

    /// A sort reads the records that it keeps a second time.
    private func sortCost(of plan: QueryPlan) -> Double {
        if case .given = plan.ordering { return 0 }
        return 1 + min(matches, plan.shape.limit.map(Double.init) ?? matches)
    }
}
