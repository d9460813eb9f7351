import Holdfast
import HoldfastTesting

/// A table of random records, and random questions about it.
struct RandomWorld {
    static let table: TableName = "things"
    static let fields = ["a", "e\u{301}", "é"]

    var random: SplitMix64
    let idField: String
    let hasNumberIDs: Bool
    private let longText = String(repeating: "long ", count: 52)

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        hasNumberIDs = Int.random(in: 0..<3, using: &random) == 0
        idField = Bool.random(using: &random) ? "id" : "key"
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    mutating func id() -> JSONValue {
        let number = Int64.random(in: -20..<120, using: &random)
        if hasNumberIDs, Bool.random(using: &random) { return .integer(number) }
        return .string(Bool.random(using: &random) ? "\(number)" : "k\(number)")
    }

    mutating func record() -> JSONObject {
        var record = JSONObject()
        for field in Self.fields where !chance(6) { record[field] = value() }
        record[idField] = id()
        return record
    }

    mutating func value() -> JSONValue {
        switch Int.random(in: 0..<14, using: &random) {
        case 0: .null
        case 1: .bool(Bool.random(using: &random))
        case 2...4: .integer(pick([-1, 0, 1, .max, .min, 1 << 53, 1 << 53 + 1]))
        case 5...6: .double(pick([-0.0, 0.5, 1, 0x1p53, 0x1p63, -0x1p63]))
        case 7...10: .string(text())
        case 11: .array([.integer(1), .string(text())])
        case 12: .array((0..<Int.random(in: 0..<3, using: &random)).map { _ in value() })
        default: .object(["x": .integer(pick([1, 2]))])
        }
    }

    mutating func text() -> String {
        let ends = ["", "a", "ab", "é", "e\u{301}", "\u{0}a"]
        return chance(2) ? longText + pick(ends) : pick(ends)
    }

    mutating func index() -> Index? {
        let fields = (Self.fields + [idField]).shuffled(using: &random)
        return try? Index(fields: Array(fields.prefix(Int.random(in: 1...3, using: &random))))
    }

    mutating func query() -> Query<JSONObject> {
        var query = Query(Self.table)
        for _ in 0..<Int.random(in: 0..<3, using: &random) { query = query.filter(filter()) }
        for _ in 0..<Int.random(in: 0..<3, using: &random) {
            query = query.order(
                by: pick(Self.fields + [idField]),
                pick([.ascending, .descending, .descending])
            )
        }
        return chance(2) ? query : query.limit(Int.random(in: 0..<20, using: &random))
    }

    private mutating func filter() -> Filter {
        let field = pick(Self.fields + [idField])
        let comparison = chance(3) ? .equals : pick(Filter.Comparison.allCases)
        switch comparison {
        case .begins: return Filter(field, comparison, .string(text()))
        case .isIn:
            let count = Int.random(in: 0..<4, using: &random)
            return Filter(field, comparison, .array((0..<count).map { _ in operand(field) }))
        default: return Filter(field, comparison, operand(field))
        }
    }

    private mutating func operand(_ field: String) -> JSONValue {
        field == idField && !chance(4) ? id() : value()
    }
}
