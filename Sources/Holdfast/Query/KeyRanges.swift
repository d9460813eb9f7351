import HoldfastStorage

/// Disjoint ranges of keys, ascending, that hold every record which passes a query's filters.
struct KeyRanges: Sendable {
    /// The greatest number of ranges that equality with several values is turned into.
    static let limit = 1_000

    /// The ranges; none of them is empty.
    var ranges: [KeyRange] = []
    /// Whether every record in the ranges passes the filters on ``fields``.
    var isExact = true
    /// The fields whose bounds made the ranges.
    var fields: [String] = []

    /// Appends a range behind the last one, unless it is empty.
    ///
    /// Values whose keys are cut alike, one behind the other, make the same range: it counts once.
    mutating func append(_ range: KeyRange) {
        if !range.isEmpty, range != ranges.last { ranges.append(range) }
    }
}

extension KeyRanges {
    /// Ranges of index keys: equality on the first fields, then a range of the next one.
    init(of index: Index, for shape: QueryShape) {
        var keys = [CompoundKey()]
        var rest: FieldBounds?
        for field in index.fields {
            guard let bounds = shape.bounds(of: field) else { break }
            guard let points = bounds.points, keys.count * points.count <= Self.limit else {
                if bounds.points == nil, bounds.isRange { rest = bounds }
                break
            }
            keys = keys.flatMap { key in points.map { key.appending($0) } }
            fields.append(field)
        }
        guard let rest else {
            isExact = !keys.contains { $0.isTruncated }
            for key in keys { append(key.range) }
            return
        }
        fields.append(rest.field)
        for key in keys {
            let (range, isExact) = key.range(narrowedTo: rest)
            append(range)
            self.isExact = self.isExact && isExact
        }
    }
}
