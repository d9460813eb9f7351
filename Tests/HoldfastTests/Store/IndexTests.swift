import Holdfast
import Testing

@Suite struct IndexTests {
    @Test func indexesAreDeclaredOnceAndDropped() async throws {
        let store = try await Store(storage: MemoryStorage())
        let first = try Index(fields: ["a", "b"])
        let second = try Index(fields: ["b"])
        #expect(try await store.createIndex(first, on: "t"))
        #expect(try await !store.createIndex(first, on: "t"))
        #expect(try await store.createIndex(second, on: "t"))
        #expect(try store.indexes(of: "t") == [first, second])
        #expect(try store.indexes(of: "other").isEmpty)
        #expect(try await store.dropIndex(first, on: "t"))
        #expect(try await !store.dropIndex(first, on: "t"))
        #expect(try store.indexes(of: "t") == [second])
        let plan = try store.read { try $0.explain(Query("t").order(by: "b")).description }
        #expect(plan.hasPrefix("visit index (b) of t"))
    }

    @Test func theNextStoreOverTheSameStorageHasTheSameIndexes() async throws {
        let storage = MemoryStorage()
        let index = try Index(fields: ["n"])
        let first = try await Store(storage: storage)
        try await first.write { transaction in
            try transaction.put(["id": "a", "n": 1], in: "t")
            try transaction.put(["id": "b", "n": 2], in: "t")
        }
        try await first.createIndex(index, on: "t")
        try await storage.setIndexes([])

        let second = try await Store(storage: storage)
        #expect(try second.indexes(of: "t") == [index])
        let query = Query("t").where("n", .equals, 1)
        #expect(try second.read { try $0.explain(query).description }.contains("index (n)"))
        #expect(try second.read { try $0.fetch(query) } == [["id": "a", "n": 1]])
    }

    @Test func indexesDeclaredFromManyTasksAreAllBuilt() async throws {
        let store = try await Store(storage: MemoryStorage())
        let fields = (0..<12).map { "f\($0)" }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for field in fields {
                group.addTask { try await store.createIndex(Index(fields: [field]), on: "t") }
            }
            try await group.waitForAll()
        }
        try store.read { (transaction) throws in
            for field in fields {
                let plan = try transaction.explain(Query("t").order(by: field)).description
                #expect(plan.hasPrefix("visit index (\(field))"))
            }
        }
    }

    @Test func aCancelledTaskDeclaresNoIndexAndOneThatIsDeclaredIsBuilt() async throws {
        let store = try await Store(storage: MemoryStorage())
        let index = try Index(fields: ["n"])
        let cancelled = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await store.createIndex(index, on: "t")
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(try store.indexes(of: "t").isEmpty)

        try await store.write { _ = try $0.put(["id": "a", "n": 1], in: "t") }
        let storage = store.storage
        try await store.createIndex(index, on: "t")
        try await storage.setIndexes([])
        let opening = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await Store(storage: storage)
        }
        let plan = try await opening.value.read { try $0.explain(Query("t").order(by: "n")) }
        #expect(plan.description.hasPrefix("visit index (n)"))
    }

    @Test func indexesOfOneTableSayNothingOfAnother() async throws {
        let store = try await Store(storage: MemoryStorage())
        try await store.createIndex(Index(fields: ["n"]), on: "t")
        try await store.write { transaction in
            try transaction.put(["id": "a", "n": 1], in: "t")
            try transaction.put(["id": "b", "n": 1], in: "tt")
        }
        let query = { (table: TableName) in Query(table).where("n", .equals, 1) }
        try store.read { (transaction) throws in
            let found = try transaction.fetch(query("t"))
            let plan = try transaction.explain(query("tt")).description
            #expect(found == [["id": "a", "n": 1]])
            #expect(plan.hasPrefix("visit table"))
        }
    }
}
