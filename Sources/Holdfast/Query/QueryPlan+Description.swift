extension QueryPlan: CustomStringConvertible {
    /// The plan in words, a step a line: what is visited, what is kept, what is sorted, when it
    /// ends.
    ///
    /// It has the values that are compared with, which may be user data.
    public var description: String {
        var lines = visitLines
        if isCovering, !shape.filters.isEmpty {
            lines.append("every record there matches")
        } else if !shape.filters.isEmpty {
            lines.append("keep where \(condition)")
        }
        if let sortText { lines.append(sortText) }
        if let limit = shape.limit { lines.append("stop after \(limit)") }
        return lines.joined(separator: "\n")
    }

    private var condition: String {
        guard shape.filters.count > 1 else { return shape.filters[0].description }
        return shape.filters.map(\.part).joined(separator: " and ")
    }

    private var visitLines: [String] {
        let order = direction == .forward ? "ascending" : "descending"
        switch access {
        case .table(let keys): return ["visit table \(shape.table) by id, \(order), \(keys.extent)"]
        case .index(let index, let keys):
            return ["visit index (\(index)) of \(shape.table), \(order), \(keys.extent)"]
        case .gathered(let sources):
            return sources.map { "gather ids from \(text(of: $0))" }
                + ["visit their records of \(shape.table) by id, \(order)"]
        }
    }

    private func text(of source: KeySource) -> String {
        guard let index = source.index else { return "table \(shape.table), \(source.keys.extent)" }
        guard let term = source.term else { return "index (\(index)), \(source.keys.extent)" }
        let others = source.otherTerms.map(\.text).joined(separator: ", ")
        return "index (\(index)), \(term.isPrefix ? "words" : "word") \(term.text)"
            + (others.isEmpty ? "" : ", those with \(others)")
    }

    private var sortText: String? {
        let holding = shape.limit.map { ", holding \($0)" } ?? ""
        switch ordering {
        case .given: return nil
        case .sort: return "sort by \(text(of: shape.order[...]))" + holding
        case .groups(let steps):
            let rest = shape.order.dropFirst(steps)
            return
                "sort records with equal \(text(of: shape.order.prefix(steps))) by \(text(of: rest))"
                + holding
        }
    }

    private func text(of steps: ArraySlice<FieldOrder>) -> String {
        if steps.isEmpty { return "id" }
        return steps.map { step in
            step.direction == .ascending ? step.field : step.field + " descending"
        }.joined(separator: ", ")
    }
}

extension KeyRanges {
    fileprivate var extent: String {
        if fields.isEmpty { return ranges.isEmpty ? "nowhere: nothing can match" : "whole" }
        let fields = fields.joined(separator: ", ")
        return switch ranges.count {
        case 0: "nowhere: no \(fields) can match"
        case 1: "a range of \(fields)"
        default: "\(ranges.count) ranges of \(fields)"
        }
    }
}
