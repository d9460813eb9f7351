import Holdfast

/// A query by brute force: filters everything, sorts everything, cuts.
struct NaiveQuery: Sendable {
    let idField: String
    let filters: [ModelFilter]
    let order: [FieldOrder]

    /// Every match in order.
    func rows(over records: [JSONObject]) -> [JSONObject] {
        let kept = records.filter { record in filters.allSatisfy { $0.passes(record) } }
        return kept.sorted { first, second in
            for step in order {
                let left = first[step.field] ?? .null
                let right = second[step.field] ?? .null
                if left.precedes(right) { return step.direction == .ascending }
                if right.precedes(left) { return step.direction == .descending }
            }
            return Self.id(first, idField).lexicographicallyPrecedes(Self.id(second, idField))
        }
    }

    static func id(_ record: JSONObject, _ idField: String) -> [UInt8] {
        switch record[idField] {
        case .string(let text): Array(text.utf8)
        case .integer(let number): Array("\(number)".utf8)
        default: []
        }
    }

    static func passes(
        _ value: JSONValue,
        _ comparison: Filter.Comparison,
        _ operand: JSONValue
    ) -> Bool {
        let isLess = value.precedes(operand)
        let isGreater = operand.precedes(value)
        switch comparison {
        case .equals: return !isLess && !isGreater
        case .differs: return isLess || isGreater
        case .isLess: return isLess
        case .isAtMost: return !isGreater
        case .isGreater: return isGreater
        case .isAtLeast: return !isLess
        case .contains: return contains(value, operand)
        case .begins: return begins(value, operand)
        case .isIn:
            guard case .array(let values) = operand else { return false }
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
