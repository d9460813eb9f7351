import Holdfast

/// A query by brute force: filters everything, sorts everything, cuts.
enum NaiveQuery {
    static func rows(
        _ query: Query<JSONObject>,
        over records: [JSONObject],
        idField: String
    ) -> [JSONObject] {
        let kept = records.filter { record in
            query.filters.allSatisfy { passes(record[$0.field] ?? .null, $0) }
        }
        let sorted = kept.sorted { first, second in
            for step in query.order {
                let left = first[step.field] ?? .null
                let right = second[step.field] ?? .null
                if left.precedes(right) { return step.direction == .ascending }
                if right.precedes(left) { return step.direction == .descending }
            }
            return id(first, idField).lexicographicallyPrecedes(id(second, idField))
        }
        return query.limit.map { Array(sorted.prefix($0)) } ?? sorted
    }

    static func id(_ record: JSONObject, _ idField: String) -> [UInt8] {
        switch record[idField] {
        case .string(let text): Array(text.utf8)
        case .integer(let number): Array("\(number)".utf8)
        default: []
        }
    }

    private static func passes(_ value: JSONValue, _ filter: Filter) -> Bool {
        let isLess = value.precedes(filter.value)
        let isGreater = filter.value.precedes(value)
        switch filter.comparison {
        case .equals: return !isLess && !isGreater
        case .differs: return isLess || isGreater
        case .isLess: return isLess
        case .isAtMost: return !isGreater
        case .isGreater: return isGreater
        case .isAtLeast: return !isLess
        case .contains: return contains(value, filter.value)
        case .begins: return begins(value, filter.value)
        case .isIn:
            guard case .array(let values) = filter.value else { return false }
            return contains(.array(values), value)
        }
    }

    private static func contains(_ whole: JSONValue, _ part: JSONValue) -> Bool {
        if case .array(let elements) = whole {
            return elements.contains { !$0.precedes(part) && !part.precedes($0) }
        }
        guard case .string(let text) = whole, case .string(let part) = part else { return false }
        let bytes = Array(text.utf8)
        let wanted = Array(part.utf8)
        guard wanted.count <= bytes.count else { return false }
        return (0...(bytes.count - wanted.count)).contains {
            bytes[$0..<($0 + wanted.count)].elementsEqual(wanted)
        }
    }

    private static func begins(_ value: JSONValue, _ prefix: JSONValue) -> Bool {
        guard case .string(let text) = value, case .string(let prefix) = prefix else {
            return false
        }
        return Array(text.utf8).prefix(prefix.utf8.count).elementsEqual(prefix.utf8)
    }
}
