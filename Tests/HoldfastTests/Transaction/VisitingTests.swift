import Holdfast
import HoldfastStorage
import HoldfastTesting
import Testing

@Suite("Visiting typed records")
struct VisitingTests {
    private struct Item: Record, Equatable {
        static let table: TableName = "items"
        var id = RecordID.make()
        var rank: Int = 0
    }

    private static func store() async throws -> (Store, [Item]) {
        let store = try await Store(storage: MemoryStorage())
        let items = try (0..<50).map { Item(id: try RecordID("item \($0 + 100)"), rank: $0 / 3) }
        try await store.createIndex(Index("rank"), on: Item.table)
        try await store.write { transaction in
            for item in items.reversed() { try transaction.put(item) }
        }
        return (store, items)
    }

    @Test func aVisitGivesWhatAFetchGives() async throws {
        let (store, items) = try await Self.store()
        for query in [Item.query, Item.query.order(by: "rank", .descending).limit(7)] {
            try store.read { transaction in
                var visited: [Item] = []
                _ = try transaction.forEach(query) { item in
                    visited.append(item)
                    return true
                }
                #expect(try transaction.fetch(query) == visited)
            }
        }
        try store.read { transaction in
            var visited: [Item] = []
            try transaction.forEachUnordered(Item.self) { item in
                visited.append(item)
                return true
            }
            #expect(visited.sorted { $0.id < $1.id } == items)
        }
    }

    @Test func aVisitEndsWhenToldToAndItsCursorGoesOn() async throws {
        let (store, items) = try await Self.store()
        try store.read { transaction in
            var visited: [Item] = []
            let cursor = try transaction.forEach(Item.query) { item in
                visited.append(item)
                return visited.count < 10
            }
            #expect(visited == Array(items.prefix(10)))
            #expect(try transaction.fetch(Item.query.after(cursor)) == Array(items.dropFirst(10)))
            var count = 0
            try transaction.forEachUnordered(Item.self) { _ in
                count += 1
                return count < 4
            }
            #expect(count == 4)
        }
    }

    @Test func aRecordThatDoesNotFitIsAnErrorWithItsID() async throws {
        let (store, _) = try await Self.store()
        try await store.write { transaction in
            try transaction.put(["id": "item 120", "rank": "first"], in: Item.table)
        }
        try store.read { transaction in
            let error = #expect(throws: StoreError.self) {
                try transaction.forEachUnordered(Item.self) { _ in true }
            }
            #expect(error?.code == .wrongType && error?.id?.text == "item 120")
        }
    }
}
