import Holdfast
import HoldfastTesting

/// Random tables, and random questions about them.
struct RandomWorld {
    static let table: TableName = "things"
    static let fields = ["a", "e\u{301}", "é", "b"]

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

    mutating func some<Element>(
        _ counts: Range<Int>,
        _ make: (inout RandomWorld) -> Element
    ) -> [Element] {
        (0..<Int.random(in: counts, using: &random)).map { _ in make(&self) }
    }

    mutating func queryCase() -> QueryCase {
        var made = QueryCase(idField: idField)
        var records: [[UInt8]: JSONObject] = [:]
        for record in some(0..<40, { $0.record() }) {
            records[NaiveQuery.id(record, idField)] = record
        }
        made.records = records.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
        made.edits = some(0..<8) { world in
            world.chance(3) ? [world.idField: world.id()] : world.record()
        }
        made.indexes = some(0..<4) { $0.index() }.compactMap { $0 }
        made.filters = some(0..<3) { $0.filter(depth: 3) }
        made.order = some(0..<3) { $0.order() }
        made.limit = chance(2) ? nil : Int.random(in: 0..<20, using: &random)
        made.pageSize = Int.random(in: 1..<8, using: &random)
        return made
    }

    mutating func id() -> JSONValue {
        let number = Int64.random(in: -20..<60, using: &random)
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
        case 12: .array(some(0..<3) { $0.value() })
        default: .object(["x": .integer(pick([1, 2]))])
        }
    }

    mutating func text() -> String {
        if chance(2) { return words() }
        let ends = ["", "a", "ab", "é", "e\u{301}", "\u{0}a"]
        return chance(2) ? longText + pick(ends) : pick(ends)
    }

    private mutating func words() -> String {
        some(1..<4) { $0.pick(NaiveWords.spellings).0 + $0.pick(NaiveWords.separators) }
            .joined().trimmed(chance(2) ? 1 : 0)
    }

    mutating func index() -> Index? {
        if chance(3) {
            return try? Index(fields: pick([["a"], ["a", "b"], ["b", "a"]]), kind: .words)
        }
        let fields = (Self.fields + [idField]).shuffled(using: &random)
        return try? Index(fields: Array(fields.prefix(Int.random(in: 1...3, using: &random))))
    }

    private mutating func order() -> FieldOrder {
        FieldOrder(
            field: pick(Self.fields + [idField]),
            direction: pick([.ascending, .descending, .descending])
        )
    }

    private mutating func filter(depth: Int) -> ModelFilter {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &random) {
        case 0..<5: condition()
        case 5: .search(chance(8) ? "" : words(), pick([["a"], ["a", "b"], ["b", "a"], ["é"]]))
        case 6: .all(some(0..<4) { $0.filter(depth: depth - 1) })
        case 7...8: .any(some(0..<4) { $0.filter(depth: depth - 1) })
        default: .not(filter(depth: depth - 1))
        }
    }

    private mutating func condition() -> ModelFilter {
        let field = pick(Self.fields + [idField])
        let comparison = chance(3) ? .equals : pick(Filter.Comparison.allCases)
        switch comparison {
        case .begins: return .condition(field, comparison, .string(text()))
        case .isIn: return .condition(field, comparison, .array(some(0..<4) { $0.operand(field) }))
        default: return .condition(field, comparison, operand(field))
        }
    }

    private mutating func operand(_ field: String) -> JSONValue {
        field == idField && !chance(4) ? id() : value()
    }
}

extension String {
    fileprivate func trimmed(_ count: Int) -> String {
        String(String.UnicodeScalarView(unicodeScalars.dropLast(count)))
    }
}
