/// One way to meet a query's filters: what it says of each field, as far as a set of keys can serve
/// it.
///
/// A record that meets the filters is in the bounds of at least one branch, and in those of an
/// exact branch are no others.
struct FilterBranch: Sendable {
    /// The values that one field may have.
    struct Bounds: Sendable {
        let field: String
        var values: ValueSet
    }

    /// No more branches than this are told apart.
    static let limit = 64

    private(set) var bounds: [Bounds] = []
    private(set) var searches: [WordSearch] = []
    /// Whether bounds and searches together say all that the filters say.
    private(set) var isExact = true

    /// A branch that holds every record.
    init(isExact: Bool = true) { self.isExact = isExact }

    fileprivate init(_ field: String, _ values: ValueSet) {
        if !values.isEverything { bounds = [Bounds(field: field, values: values)] }
    }

    fileprivate init(_ search: WordSearch) { searches = [search] }

    /// The values that a field may have; `nil` for all.
    ///
    /// Names are the same when their bytes are.
    func values(of field: String) -> ValueSet? {
        bounds.first { UTF8Order.same($0.field, field) }?.values
    }

    /// Whether the bounds of `count` fields and `searchCount` searches are all there is.
    func isCovered(fields count: Int, searches searchCount: Int = 0) -> Bool {
        isExact && bounds.count == count && searches.count == searchCount
    }

    /// The greatest number of ranges that the bounds can make.
    var rangeCount: Int {
        bounds.reduce(1) { count, bounds in
            let (product, isTooLarge) = count.multipliedReportingOverflow(
                by: bounds.values.intervals.count
            )
            return isTooLarge ? .max : product
        }
    }

    private mutating func narrow(_ other: Bounds) {
        guard let position = bounds.firstIndex(where: { UTF8Order.same($0.field, other.field) })
        else {
            bounds.append(other)
            return
        }
        bounds[position].values = bounds[position].values.intersection(other.values)
    }

    /// What is in both; `nil` where no record can be.
    private func intersection(_ other: FilterBranch) -> FilterBranch? {
        var branch = self
        for bounds in other.bounds { branch.narrow(bounds) }
        branch.searches += other.searches
        branch.isExact = isExact && other.isExact
        return branch.bounds.contains { $0.values.isEmpty } ? nil : branch
    }
}

extension FilterBranch {
    /// The branches of a query's filters, which have to be met all.
    static func branches(of filters: [Filter]) -> [FilterBranch] {
        all(filters.map { $0.branches(isNegated: false) })
    }

    /// A branch that holds the records of all branches.
    static func hull(of branches: [FilterBranch]) -> FilterBranch {
        if branches.count == 1 { return branches[0] }
        var hull = FilterBranch(isExact: false)
        for bounds in branches.first?.bounds ?? [] {
            let values = branches.compactMap { $0.values(of: bounds.field) }
            guard values.count == branches.count else { continue }
            let union = ValueSet(values.flatMap(\.intervals))
            hull.bounds.append(Bounds(field: bounds.field, values: union))
        }
        return hull
    }

    fileprivate static func all(_ parts: [[FilterBranch]]) -> [FilterBranch] {
        parts.reduce([FilterBranch()]) { branches, part in
            let fits = branches.count * part.count <= limit
            let part = fits || part.isEmpty ? part : [hull(of: part)]
            return branches.flatMap { branch in part.compactMap { branch.intersection($0) } }
        }
    }

    /// Branches that say all, and of one field, become one for each field.
    fileprivate static func any(_ parts: [[FilterBranch]]) -> [FilterBranch] {
        var united: [(field: String, intervals: [ValueSet.Interval])] = []
        var branches: [FilterBranch] = []
        for branch in parts.joined() {
            guard branch.isCovered(fields: 1) else {
                branches.append(branch)
                continue
            }
            let (field, intervals) = (branch.bounds[0].field, branch.bounds[0].values.intervals)
            if let position = united.firstIndex(where: { UTF8Order.same($0.field, field) }) {
                united[position].intervals += intervals
            } else {
                united.append((field, intervals))
            }
        }
        branches += united.map { FilterBranch($0.field, ValueSet($0.intervals)) }
        return branches.count <= limit ? branches : [hull(of: branches)]
    }
}

extension Filter {
    /// The ways to meet the filter, or its negation.
    fileprivate func branches(isNegated: Bool) -> [FilterBranch] {
        switch node {
        case .condition(let condition):
            guard let values = ValueSet(of: condition) else {
                return [FilterBranch(isExact: false)]
            }
            let kept = isNegated ? values.complement : values
            return kept.isEmpty ? [] : [FilterBranch(condition.field, kept)]
        case .search(let search):
            if search.terms.isEmpty { return isNegated ? [] : [FilterBranch()] }
            return [isNegated ? FilterBranch(isExact: false) : FilterBranch(search)]
        case .all(let filters):
            let parts = filters.map { $0.branches(isNegated: isNegated) }
            return isNegated ? FilterBranch.any(parts) : FilterBranch.all(parts)
        case .any(let filters):
            let parts = filters.map { $0.branches(isNegated: isNegated) }
            return isNegated ? FilterBranch.all(parts) : FilterBranch.any(parts)
        case .not(let filter): return filter.branches(isNegated: !isNegated)
        case .tooDeep: return [FilterBranch(isExact: false)]
        }
    }
}
