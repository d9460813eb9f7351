import HoldfastStorage

extension KeyRanges {
    /// Ranges of record keys, from what the branches say of the id.
    ///
    /// Keys order as the ids' texts do. A number as id comes before all text in a filter, but among
    /// it as a key: with such ids only a lower bound that is text, and equality, narrow the keys.
    init(ofIDsFor shape: QueryShape, in branches: [FilterBranch]) {
        let table = RecordKey.range(of: shape.table)
        let narrows = branches.contains { $0.values(of: shape.idField) != nil }
        var ranges: [KeyRange] = []
        var isExact = shape.idsAreText || !narrows
        for branch in branches {
            guard let values = branch.values(of: shape.idField) else {
                ranges.append(table)
                if !branch.isCovered(fields: 0) { isExact = false }
                continue
            }
            let fits = values.intervals.count <= shape.rangeLimit
            let intervals = fits ? values.intervals : [values.hull]
            ranges += intervals.compactMap { shape.keys(ofIDsIn: $0) }
            if !fits || !branch.isCovered(fields: 1) { isExact = false }
        }
        let fields = narrows ? [shape.idField] : []
        self.init(ranges, isExact: isExact, fields: fields)
    }
}

extension QueryShape {
    /// The keys of the records whose ids are in an interval, and maybe of others; `nil` for none.
    fileprivate func keys(ofIDsIn interval: ValueSet.Interval) -> KeyRange? {
        if let point = interval.point {
            return id(of: point).map { .exactly(RecordKey.bytes(of: $0, in: table)) }
        }
        var range = RecordKey.range(of: table)
        let lower = textBound(at: interval.lower)
        switch lower {
        case .beforeTexts: break
        case .among(let key): range.raise(to: key)
        case .behindTexts: return nil
        }
        if !idsAreText, case .beforeTexts = lower { return range }
        switch textBound(at: interval.upper) {
        case .beforeTexts: return nil
        case .among(let key): range.sink(to: key)
        case .behindTexts: break
        }
        return range.isEmpty ? nil : range
    }

    private func id(of value: JSONValue) -> RecordID? {
        switch value {
        case .string(let text): try? RecordID(text)
        case .integer(let number): idsAreText ? nil : RecordID(number)
        case .double(let number): idsAreText ? nil : Int64(exactly: number).map { RecordID($0) }
        default: nil
        }
    }

    private enum TextBound {
        case beforeTexts
        /// The first key behind the place.
        case among([UInt8]?)
        case behindTexts
    }

    private func textBound(at cut: ValueCut) -> TextBound {
        let base = RecordKey.prefix(of: table)
        switch cut {
        case .before(.string(let text)): return .among(base + text.utf8)
        case .after(.string(let text)): return .among(base + text.utf8 + [0])
        case .afterTexts(let prefix):
            return .among(KeyRange.successor(ofPrefix: base + prefix.utf8))
        case .before(.array), .before(.object), .after(.array), .after(.object), .end:
            return .behindTexts
        case .before, .after: return .beforeTexts
        }
    }
}
