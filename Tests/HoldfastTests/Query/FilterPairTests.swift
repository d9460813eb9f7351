import Holdfast
import Testing

/// Every pair of conditions on one field, over every value that could tell them apart.
@Suite struct FilterPairTests {
    private static let long = String(repeating: "long ", count: 52)
    private static let values: [JSONValue] = [
        .null, 1, 1.5, 2, "", "a", "ab", .string(long), .string(long + "a"), .string(long + "ab"),
        [.string(long)],
    ]
    private static let operands: [JSONValue] = [
        .null, 1, 1.0, 2, "a", .string(long), .string(long + "a"), [.string(long)],
    ]
    private static let ids: [JSONValue] = [-1, 1, 10, 2, "1x", "3", "a", "ab", "b"]
    private static let idOperands: [JSONValue] = [.null, -1, 1, 2.0, 5, "", "1", "2", "ab"]

    @Test func onAnIndexedFieldEveryPlanAgreesWithBruteForce() async throws {
        var records: [JSONObject] = []
        for (number, value) in Self.values.enumerated() {
            records.append(["id": .string("r\(number)"), "v": value])
        }
        try await check(records, field: "v", Self.filters(on: "v", Self.operands))
    }

    @Test(arguments: [true, false])
    func onTheIDEveryPlanAgreesWithBruteForce(withNumbers: Bool) async throws {
        let ids = Self.ids.filter { id in
            if case .integer = id { withNumbers } else { true }
        }
        let records = ids.map { ["id": $0] as JSONObject }
        try await check(records, field: "id", Self.filters(on: "id", Self.idOperands))
    }

    private static func filters(on field: String, _ operands: [JSONValue]) -> [ModelFilter] {
        var filters: [ModelFilter] = [
            .condition(field, .isIn, .array(operands)), .condition(field, .isIn, ["a", 1, 1.0]),
        ]
        for comparison in Filter.Comparison.allCases where comparison != .isIn {
            for operand in operands {
                if comparison == .begins {
                    guard case .string = operand else { continue }
                }
                filters.append(.condition(field, comparison, operand))
            }
        }
        return filters
    }

    private func check(
        _ records: [JSONObject],
        field: String,
        _ filters: [ModelFilter]
    ) async throws {
        let store = try await Store(storage: MemoryStorage())
        try await store.write { transaction in
            for record in records { try transaction.put(record, in: "t") }
        }
        try await store.createIndex(Index(fields: [field]), on: "t")
        try store.read { (transaction) throws in
            for (position, first) in filters.enumerated() {
                for second in filters[position...] {
                    let query = Query("t").filter(first.filter).filter(second.filter)
                    let naive = NaiveQuery(idField: "id", filters: [first, second], order: [])
                    let expected = naive.rows(over: records)
                    for plan in try transaction.plans(for: query) {
                        let rows = try transaction.page(query, by: plan).rows
                        #expect(rows == expected, "\(plan)")
                    }
                    let explained = try transaction.explain(query)
                    let count = try transaction.count(query)
                    #expect(count == expected.count, "\(explained)")
                }
            }
        }
    }
}
