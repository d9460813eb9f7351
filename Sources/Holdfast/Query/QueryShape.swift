import HoldfastStorage

/// A query as the planner sees it: what its filters bound, and the order that has to be made.
struct QueryShape: Sendable {
    let table: TableName
    let idField: String
    /// Whether the order of the keys is the order of the ids' values.
    let idsAreText: Bool
    let filters: [Filter]
    /// The order without what changes nothing: fields with one value, fields named before, and what
    /// follows the id.
    let order: [FieldOrder]
    /// The order of records that `order` leaves equal, by their keys.
    let tie: ScanDirection
    let limit: Int?

    private let bounds: [FieldBounds]

    init(of query: Query<JSONObject>, in table: TableRecord) {
        self.table = query.table
        idField = table.idField
        idsAreText = !table.hasNumberIDs
        filters = query.filters
        limit = query.limit
        var bounds: [FieldBounds] = []
        for filter in query.filters where !bounds.contains(where: { $0.isOf(filter.field) }) {
            bounds.append(FieldBounds(of: filter.field, in: query.filters))
        }
        self.bounds = bounds
        (order, tie) = Self.reduce(query.order, bounds: bounds, table: table)
    }

    func bounds(of field: String) -> FieldBounds? { bounds.first { $0.isOf(field) } }

    /// Whether the bounds of these fields together say all that the filters say.
    func isCovered(by fields: [String]) -> Bool {
        bounds.allSatisfy { bounds in bounds.isExact && fields.contains { bounds.isOf($0) } }
    }

    private static func reduce(
        _ order: [FieldOrder],
        bounds: [FieldBounds],
        table: TableRecord
    ) -> ([FieldOrder], ScanDirection) {
        var reduced: [FieldOrder] = []
        for step in order {
            if bounds.contains(where: { $0.isConstant && $0.isOf(step.field) }) { continue }
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
