import Holdfast
import HoldfastTesting
import Testing

/// A store over the journal, on a simulated disk.
@Suite struct JournalStoreTests {
    private let disk = SimulatedDisk()

    private func open(
        _ access: StoreOptions.Access = .create,
        usesIndexes: Bool = true
    ) async throws -> Store {
        var options = StoreOptions(access: access, usesIndexes: usesIndexes)
        options.journal.fileSystem = disk
        options.journal.firstSegmentBytes = 16_384
        options.journal.largestSegmentBytes = 16_384
        return try await Store.open(at: "store", options: options)
    }

    @Test func recordsIDFieldsAndIndexesAreThereAfterOpeningAgain() async throws {
        var store = try await open()
        let index = try Index(fields: ["kind", "n"])
        try await store.createIndex(index, on: "things")
        try await store.write { transaction in
            try transaction.declare("things", idField: "key")
            for number in 0..<200 as Range<Int64> {
                let kind: JSONValue = number % 2 == 0 ? "even" : "odd"
                let record: JSONObject = [
                    "key": .integer(number), "n": .integer(number), "kind": kind,
                ]
                try transaction.put(record, in: "things")
            }
        }
        try await store.close()

        store = try await open()
        #expect(store.recoveryReport?.wasClosed == true)
        let description = try store.read { try $0.description(of: "things") }
        #expect(description?.idField == "key")
        #expect(description?.count == 200)
        #expect(description?.indexes == [index])
        let query = Query("things").where("kind", .equals, "odd").order(by: "n", .descending)
        let plan = try store.read { try $0.explain(query).description }
        #expect(plan.hasPrefix("visit index (kind, n) of things, descending"))
        let numbers = try store.read { try $0.fetch(query.limit(3)).map { $0["n"] } }
        #expect(numbers == [199, 197, 195])
    }

    @Test func aDroppedIndexStaysDropped() async throws {
        var store = try await open()
        let index = try Index(fields: ["n"])
        try await store.createIndex(index, on: "t")
        try await store.dropIndex(index, on: "t")
        try await store.close()
        store = try await open()
        #expect(try store.indexes(of: "t").isEmpty)
    }

    @Test func aReaderFollowsRecordsAndIndexesOfTheWriter() async throws {
        let writer = try await open()
        try await writer.write { _ = try $0.put(["id": "a", "n": 1], in: "t") }
        let reader = try await open(.read)
        try await writer.write { transaction in
            for number in 2..<50 as Range<Int64> {
                try transaction.put(["n": .integer(number)], in: "t")
            }
        }
        try await writer.createIndex(Index(fields: ["n"]), on: "t")
        try await writer.close()

        try await reader.refresh()
        let query = Query("t").where("n", .equals, 7)
        #expect(try reader.read { try $0.count(of: "t") } == 49)
        #expect(try reader.read { try $0.explain(query).description }.contains("index (n)"))
        #expect(try reader.read { try $0.count(query) } == 1)
    }

    @Test func aStoreThatUsesNoIndexBuildsNoneAndKeepsEveryDefinition() async throws {
        let (first, second) = (try Index(fields: ["n"]), try Index(fields: ["m"]))
        let query = Query("t").where("n", .equals, 1)
        var store = try await open()
        try await store.createIndex(first, on: "t")
        try await store.write { transaction in
            try transaction.put(["id": "a", "n": 1, "m": 1], in: "t")
            for _ in 0..<20 { try transaction.put(["n": 2], in: "t") }
        }
        try await store.close()

        store = try await open(.write, usesIndexes: false)
        try await store.write { _ = try $0.put(["id": "b", "n": 1, "m": 2], in: "t") }
        #expect(try await store.createIndex(second, on: "t"))
        let reader = try await open(.read, usesIndexes: false)
        try await store.close()
        try await reader.refresh()
        #expect(try reader.indexes(of: "t") == [second, first])
        #expect(try reader.storage.snapshot().indexNames == [])
        #expect(try reader.read { try $0.explain(query).description }.hasPrefix("visit table"))
        #expect(try reader.read { try $0.fetch(query).map { $0["id"] } } == ["a", "b"])
        try await reader.close()

        store = try await open()
        #expect(try store.storage.snapshot().indexNames.count == 2)
        #expect(try store.read { try $0.explain(query).description }.contains("index (n)"))
        #expect(try store.read { try $0.fetch(query).map { $0["id"] } } == ["a", "b"])
    }

    @Test func aReaderRefusesToWrite() async throws {
        try await open().close()
        let reader = try await open(.read)
        let error = await #expect(throws: StoreError.self) {
            try await reader.write { _ = try $0.put([:], in: "t") }
        }
        #expect(error?.code == .readOnly)
    }

    @Test(arguments: [StoreOptions.Access.read, .write])
    func aMissingStoreIsMadeOnlyOnRequest(access: StoreOptions.Access) async throws {
        let error = await #expect(throws: StoreError.self) { try await open(access) }
        #expect(error?.code == .notFound)
    }

    @Test func aSecondWriterIsRefusedAndTheFirstGoesOn() async throws {
        let store = try await open()
        let error = await #expect(throws: StoreError.self) { try await open() }
        #expect(error?.code == .locked)
        try await store.write { _ = try $0.put(["id": "a"], in: "t") }
        #expect(try store.read { try $0.contains("a", in: "t") })
    }
}
