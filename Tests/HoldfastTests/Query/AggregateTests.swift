import Holdfast
import HoldfastTesting
import Testing

@Suite struct AggregateTests {
    @Test(arguments: 400..<408 as Range<UInt64>)
    func aggregatesAreThoseOfTheRecordsThatAFetchGives(seed: UInt64) async throws {
        var world = RandomWorld(seed: seed)
        for _ in 0..<12 {
            let tried = world.queryCase()
            let store = try await tried.store()
            let matches = tried.naive.rows(over: tried.records)
            let rows = tried.limit.map { Array(matches.prefix($0)) } ?? matches
            for field in RandomWorld.fields + [tried.idField] {
                let values = rows.compactMap { $0[field] }.filter { JSONValue.null.precedes($0) }
                let least = values.min { $0.precedes($1) }
                let greatest = values.max { $0.precedes($1) }
                try store.read { (transaction) throws in
                    let found = try transaction.minimum(of: field, in: tried.query)
                    #expect(same(found, least), "seed \(seed)\n\(tried)")
                    let last = try transaction.maximum(of: field, in: tried.query)
                    #expect(same(last, greatest), "seed \(seed)\n\(tried)")
                }
            }
        }
    }

    private func same(_ first: JSONValue?, _ second: JSONValue?) -> Bool {
        guard let first, let second else { return first == nil && second == nil }
        return !first.precedes(second) && !second.precedes(first)
    }

    private func filled(_ values: [JSONValue]) async throws -> Store {
        let store = try await Store(storage: MemoryStorage())
        try await store.write { transaction in
            for value in values { try transaction.put(["v": value], in: "t") }
            try transaction.put(["w": 1], in: "t")
        }
        return store
    }

    @Test(
        arguments: [
            ([], 0, nil),
            ([1, 2, .null, "3", true, [4]], 3, 1.5),
            ([.integer(.max), .integer(.max), .integer(.min), .integer(.min), 5], 3, 0.6),
            ([0.1, 0.2, 0.3], 0.6, 0.6 / 3),
            ([1e100, 1, -1e100], 1.0, 1.0 / 3),
            ([1, 0.5], 1.5, 0.75),
            ([.integer(.max), .integer(.max), 0.0], 18_446_744_073_709_551_614.0, 0x1p64 / 3),
        ] as [([JSONValue], JSONValue, Double?)]
    )
    func numbersAreAddedUpAndNothingElse(
        _ values: [JSONValue],
        _ sum: JSONValue,
        _ average: Double?
    ) async throws {
        let store = try await filled(values)
        try store.read { (transaction) throws in
            #expect(try transaction.sum(of: "v", in: Query("t")) == sum)
            #expect(try transaction.average(of: "v", in: Query("t")) == average)
        }
    }

    @Test(arguments: 20..<28 as Range<UInt64>)
    func aSumIsTheSameInWhateverOrderTheRecordsStand(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let numbers: [JSONValue] = (0..<60).map { _ in
            let digits = Double.random(in: -1...1, using: &generator)
            return .double(
                digits * [1e-30, 1e-3, 1, 1e8, 1e30][Int.random(in: 0..<5, using: &generator)]
            )
        }
        let sum = try await filled(numbers).read { try $0.sum(of: "v", in: Query("t")) }
        for _ in 0..<4 {
            let shuffled = numbers.shuffled(using: &generator)
            let other = try await filled(shuffled).read { try $0.sum(of: "v", in: Query("t")) }
            #expect(other == sum, "seed \(seed)")
        }
    }

    @Test(
        arguments: [
            [.integer(.max), 1], [.integer(.min), -1], [1.7e308, 1.7e308], [1.7e308, 1.7e308, 1],
        ] as [[JSONValue]]
    )
    func aSumThatFitsNoNumberIsAnError(_ values: [JSONValue]) async throws {
        let store = try await filled(values)
        let error = #expect(throws: StoreError.self) {
            try store.read { try $0.sum(of: "v", in: Query("t")) }
        }
        #expect(error?.code == .numberOutOfRange)
        #expect(error?.field == "v")
    }

    @Test func aLimitAndACursorCount() async throws {
        let store = try await Store(storage: MemoryStorage())
        try await store.write { transaction in
            for number in 1...9 as ClosedRange<Int64> {
                try transaction.put(["id": .integer(number), "v": .integer(10 - number)], in: "t")
            }
        }
        let query = Query("t").order(by: "v").limit(3)
        try store.read { (transaction) throws in
            let next = query.after(try transaction.page(query).next)
            #expect(try transaction.minimum(of: "v", in: next) == 4)
            #expect(try transaction.maximum(of: "v", in: next) == 6)
            #expect(try transaction.maximum(of: "id", in: next) == 6)
            #expect(try transaction.sum(of: "v", in: next) == 15)
            #expect(try transaction.average(of: "v", in: next) == 5)
        }
    }
}
