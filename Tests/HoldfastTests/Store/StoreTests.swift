import Holdfast
import Testing

@Suite struct StoreTests {
    private func store() async throws -> Store { try await Store(storage: MemoryStorage()) }

    @Test func aReadSeesOneStateWhileWritesGoOn() async throws {
        let store = try await store()
        try await store.write { transaction in
            for number in 0..<100 as Range<Int64> {
                try transaction.put(["id": .integer(number), "v": 0], in: "t")
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for version in 1...50 {
                group.addTask {
                    try await store.write { transaction in
                        for id in 0..<100 {
                            try transaction.patch(
                                RecordID(Int64(id)),
                                in: "t",
                                with: ["v": .integer(Int64(version))]
                            )
                        }
                    }
                }
            }
            for _ in 0..<50 {
                group.addTask {
                    let values = try store.read { (transaction) throws in
                        try transaction.fetch(Query("t")).map { $0["v"] }
                    }
                    #expect(values.count == 100)
                    #expect(Set(values).count == 1)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func writesOfManyTasksAreAllThere() async throws {
        let store = try await store()
        try await store.write { _ = try $0.put(["id": "counter", "n": 0], in: "t") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    try await store.write { transaction in
                        let counter = try transaction.get("counter", in: "t")
                        guard case .integer(let number)? = counter?["n"] else { return }
                        try transaction.patch("counter", in: "t", with: ["n": .integer(number + 1)])
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try store.read { try $0.get("counter", in: "t") } == ["id": "counter", "n": 100])
    }

    @Test func aWriteSeesItsOwnWritesInQueries() async throws {
        let store = try await store()
        try await store.createIndex(Index(fields: ["n"]), on: "t")
        try await store.write { transaction in
            try transaction.put(["id": "a", "n": 1], in: "t")
            try transaction.put(["id": "b", "n": 2], in: "t")
            try transaction.delete("a", in: "t")
            try transaction.put(["id": "c", "n": 0], in: "t")
            let query = Query("t").order(by: "n")
            #expect(try transaction.explain(query).description.contains("index (n)"))
            let ids = try transaction.fetch(query).map { $0["id"] }
            #expect(ids == ["c", "b"])
        }
    }

    @Test func aClosedStoreSaysSo() async throws {
        let store = try await store()
        try await store.close()
        try await store.close()
        let read = #expect(throws: StoreError.self) { try store.read { try $0.tables() } }
        let write = await #expect(throws: StoreError.self) {
            try await store.write { _ = try $0.put([:], in: "t") }
        }
        #expect([read?.code, write?.code] == [.closed, .closed])
    }

    @Test func errorsNameTheTableAndKeepTheIDOutOfTheirText() async throws {
        let store = try await store()
        let error = await #expect(throws: StoreError.self) {
            try await store.write { try $0.patch("secret@example.org", in: "people", with: [:]) }
        }
        #expect(error?.table == "people")
        #expect(error?.id == "secret@example.org")
        #expect(error?.description.contains("people") == true)
        #expect(error?.description.contains("secret") == false)
    }

    @Test func tablesAreDescribedWithCountsAndIndexes() async throws {
        let store = try await store()
        let index = try Index(fields: ["x", "y"])
        try await store.createIndex(index, on: "b")
        try await store.write { transaction in
            try transaction.put(["id": 1], in: "b")
            try transaction.put(["id": 2], in: "b")
            try transaction.declare("a", idField: "key")
        }
        let tables = try store.read { try $0.tables() }
        #expect(tables.map(\.name) == ["a", "b"])
        #expect(tables.map(\.idField) == ["key", "id"])
        #expect(tables.map(\.count) == [0, 2])
        #expect(tables.map(\.indexes) == [[], [index]])
        #expect(try store.read { try $0.bytes(of: "b") } > 0)
    }
}
