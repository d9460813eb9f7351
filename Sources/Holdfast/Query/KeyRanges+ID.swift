import HoldfastStorage

extension KeyRanges {
    /// Ranges of record keys, from what the filters say of the id.
    ///
    /// Keys order as the ids' texts do. A number as id comes before all text in a filter, but among
    /// it as a key: with such ids only a lower bound that is text, and equality, narrow the keys.
    init(ofIDsFor shape: QueryShape) {
        let table = RecordKey.range(of: shape.table)
        guard let bounds = shape.bounds(of: shape.idField) else {
            ranges = [table]
            return
        }
        isExact = shape.idsAreText
        if let points = bounds.points {
            appendPoints(points, for: shape)
        } else {
            append(narrow(table, by: bounds, for: shape))
        }
        if ranges != [table] { fields = [shape.idField] }
    }

    private mutating func appendPoints(_ points: [JSONValue], for shape: QueryShape) {
        let ids = points.compactMap { point -> RecordID? in
            switch point {
            case .string(let text): try? RecordID(text)
            case .integer(let number): shape.idsAreText ? nil : RecordID(number)
            case .double(let number):
                shape.idsAreText ? nil : Int64(exactly: number).map { RecordID($0) }
            default: nil
            }
        }
        for id in Set(ids).sorted() {
            append(.exactly(RecordKey.bytes(of: id, in: shape.table)))
        }
    }

    private mutating func narrow(
        _ table: KeyRange,
        by bounds: FieldBounds,
        for shape: QueryShape
    ) -> KeyRange {
        var range = table
        var onlyText = shape.idsAreText
        let base = RecordKey.prefix(of: shape.table)
        if let prefix = bounds.prefix {
            range.narrow(to: .prefix(base + prefix.utf8))
            onlyText = true
        }
        if let lower = bounds.lower {
            if case .string(let text) = lower.value {
                range.raise(to: base + text.utf8 + (lower.isIncluded ? [] : [0]))
                onlyText = true
            } else {
                isExact = false
            }
        }
        if let upper = bounds.upper {
            if case .string(let text) = upper.value, onlyText {
                range.sink(to: base + text.utf8 + (upper.isIncluded ? [0] : []))
            } else {
                isExact = false
            }
        }
        return range
    }
}
