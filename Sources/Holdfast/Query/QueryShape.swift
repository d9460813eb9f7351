import HoldfastStorage

/// A query as the planner sees it: what its filters bound, and the order that has to be made.
struct QueryShape: Sendable {
    let table: TableName
    let idField: String
    /// Whether the order of the keys is the order of the ids' values.
    let idsAreText: Bool
    let filters: [Filter]
    /// The ways to meet the filters; none when no record can.
    let branches: [FilterBranch]
    /// The order without what changes nothing: fields with one value, fields named before, and what
    /// follows the id.
    let order: [FieldOrder]
    /// The order of records that `order` leaves equal, by their keys.
    let tie: ScanDirection
    let limit: Int?
    /// The greatest number of ranges that the filters are turned into.
    var rangeLimit = KeyRanges.limit

    private let hull: FilterBranch

    init(of query: Query<JSONObject>, in table: TableRecord) {
        self.table = query.table
        idField = table.idField
        idsAreText = !table.hasNumberIDs
        filters = query.filters
        limit = query.limit
        branches = FilterBranch.branches(of: query.filters)
        hull = FilterBranch.hull(of: branches)
        (order, tie) = Self.reduce(query.order, hull: hull, table: table)
    }

    /// The one value that a field can have; `nil` where there are several.
    func constant(of field: String) -> JSONValue? { hull.values(of: field)?.point }

    /// Whether the filters would make more ranges than they are turned into in any case.
    var hasManyRanges: Bool { branches.contains { $0.rangeCount > KeyRanges.limit } }

    private static func reduce(
        _ order: [FieldOrder],
        hull: FilterBranch,
        table: TableRecord
    ) -> ([FieldOrder], ScanDirection) {
        var reduced: [FieldOrder] = []
        for step in order {
            if hull.values(of: step.field)?.point != nil { continue }
            if reduced.contains(where: { UTF8Order.same($0.field, step.field) }) { continue }
            guard UTF8Order.same(step.field, table.idField) else {
                reduced.append(step)
                continue
            }
            if table.hasNumberIDs { return (reduced + [step], .forward) }
            return (reduced, step.direction == .ascending ? .forward : .backward)
        }
        return (reduced, .forward)
    }
}
