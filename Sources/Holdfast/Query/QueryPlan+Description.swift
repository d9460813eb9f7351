extension QueryPlan: CustomStringConvertible {
    /// The plan in words, a step a line: what is visited, what is kept, what is sorted, when it ends.
    public var description: String {
        var lines = ["visit \(source), \(extent)"]
        if isCovering, !shape.filters.isEmpty {
            lines.append("every record there matches")
        } else if !shape.filters.isEmpty {
            lines.append("keep where " + shape.filters.map(\.text).joined(separator: " and "))
        }
        if sorts { lines.append(sortText) }
        if let limit = shape.limit { lines.append("stop after \(limit)") }
        return lines.joined(separator: "\n")
    }

    private var source: String {
        let order = direction == .forward ? "ascending" : "descending"
        switch access {
        case .table: return "table \(shape.table) by id, \(order)"
        case .index(let index): return "index (\(index)) of \(shape.table), \(order)"
        }
    }

    private var extent: String {
        if keys.fields.isEmpty { return "whole" }
        let fields = keys.fields.joined(separator: ", ")
        return switch keys.ranges.count {
        case 0: "nowhere: no \(fields) can match"
        case 1: "a range of \(fields)"
        default: "\(keys.ranges.count) ranges of \(fields)"
        }
    }

    private var sortText: String {
        let order = shape.order.map { step in
            step.direction == .ascending ? step.field : step.field + " descending"
        }
        let fields = order.isEmpty ? "id" : order.joined(separator: ", ")
        guard let limit = shape.limit else { return "sort by \(fields)" }
        return "sort by \(fields), holding \(limit)"
    }
}

extension Filter {
    /// The condition as `hold query --where` takes it.
    var text: String {
        let json = (try? value.serialized()) ?? []
        return "\(field) \(comparison.rawValue) \(String(decoding: json, as: UTF8.self))"
    }
}
