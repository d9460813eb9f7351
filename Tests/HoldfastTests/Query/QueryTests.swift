import Holdfast
import Testing

/// Everything that a query does, against brute force over the same records.
@Suite struct QueryTests {
    @Test(arguments: 0..<25 as Range<UInt64>)
    func everyPlanGivesWhatBruteForceGives(seed: UInt64) async throws {
        var world = RandomWorld(seed: seed)
        let (store, records) = try await filled(&world, indexes: 3)
        try store.read { (transaction) throws in
            for _ in 0..<30 {
                let query = world.query()
                let expected = NaiveQuery.rows(query, over: records, idField: world.idField)
                for plan in try transaction.plans(for: query) {
                    let rows = try transaction.page(query, by: plan).rows
                    #expect(rows == expected, "seed \(seed)\n\(plan)")
                }
                #expect(try transaction.fetch(query) == expected, "seed \(seed)")
                #expect(try transaction.count(query) == expected.count, "seed \(seed)")
                #expect(try transaction.exists(query) == !expected.isEmpty, "seed \(seed)")
            }
        }
    }

    @Test(arguments: 100..<115 as Range<UInt64>)
    func pagesOfEveryPlanTogetherAreTheWholeResult(seed: UInt64) async throws {
        var world = RandomWorld(seed: seed)
        let (store, records) = try await filled(&world, indexes: 3)
        try store.read { (transaction) throws in
            for _ in 0..<6 {
                let query = world.query().limit(Int.random(in: 1..<9, using: &world.random))
                let expected = NaiveQuery.rows(
                    query.limit(nil),
                    over: records,
                    idField: world.idField
                )
                for plan in try transaction.plans(for: query) {
                    var rows: [JSONObject] = []
                    var cursor: QueryCursor?
                    repeat {
                        let page = try transaction.page(query.after(cursor), by: plan)
                        rows += page.rows
                        cursor = page.next
                    } while cursor != nil && rows.count <= expected.count
                    #expect(rows == expected, "seed \(seed)\n\(plan)")
                }
            }
        }
    }

    @Test(arguments: 200..<220 as Range<UInt64>)
    func pagingThroughAChangingTableSkipsAndRepeatsNothingThatStays(
        seed: UInt64
    ) async throws {
        var world = RandomWorld(seed: seed)
        let (store, records) = try await filled(&world, indexes: 2)
        let query = world.query().limit(4)
        var seen: [JSONObject] = []
        var touched: Set<[UInt8]> = []
        var cursor: QueryCursor?
        repeat {
            let page = try store.read { try $0.page(query.after(cursor)) }
            seen += page.rows
            cursor = page.next
            let record = world.record()
            touched.insert(NaiveQuery.id(record, world.idField))
            try await store.write { _ = try $0.put(record, in: RandomWorld.table) }
        } while cursor != nil && seen.count < 1_000

        let stays = { (record: JSONObject) in
            !touched.contains(NaiveQuery.id(record, world.idField))
        }
        let expected = NaiveQuery.rows(
            query.limit(nil),
            over: records.filter(stays),
            idField: world.idField
        )
        #expect(seen.filter(stays) == expected, "seed \(seed)")
    }

    /// A store of random records with random indexes, and the records that it holds.
    private func filled(
        _ world: inout RandomWorld,
        indexes: Int
    ) async throws -> (Store, [JSONObject]) {
        let store = try await Store(storage: MemoryStorage())
        var records: [[UInt8]: JSONObject] = [:]
        for _ in 0..<60 {
            let record = world.record()
            records[NaiveQuery.id(record, world.idField)] = record
        }
        let idField = world.idField
        let kept = Array(records.values)
        try await store.write { transaction in
            try transaction.declare(RandomWorld.table, idField: idField)
            for record in kept { try transaction.put(record, in: RandomWorld.table) }
        }
        for _ in 0..<indexes {
            guard let index = world.index() else { continue }
            try await store.createIndex(index, on: RandomWorld.table)
        }
        return (store, kept)
    }
}
