import Holdfast
import HoldfastStorage
import HoldfastTesting
import Testing

@Suite struct ServedStoreTests {
    private func served(on storage: MemoryStorage = MemoryStorage()) async throws -> Store {
        let store = try await Store(storage: storage)
        try await store.write { try $0.put(["id": "a"], in: "notes") }
        #expect(!store.isServed)
        try await store.markServed()
        #expect(store.isServed)
        return store
    }

    @Test func recordsOfAServedStoreAreWrittenThroughItsServerAlone() async throws {
        let store = try await served()
        for write in [0, 1, 2] {
            let error = await #expect(throws: StoreError.self) {
                try await store.write { transaction in
                    switch write {
                    case 0: try transaction.put(["id": "b"], in: "notes")
                    case 1: try transaction.delete("a", in: "notes")
                    default: try transaction.patch("a", in: "notes", with: ["n": 1])
                    }
                }
            }
            #expect(error?.code == .served)
        }
        #expect(try store.read { try $0.get("a", in: "notes") } == ["id": "a"])
        try await store.writeUnrecorded { try $0.put(["id": "b"], in: "notes") }
        #expect(try store.read { try $0.count(of: "notes") } == 2)
    }

    @Test func theMarkOutlivesTheStoreThatMadeIt() async throws {
        var options = StoreOptions()
        options.journal.fileSystem = SimulatedDisk()
        var store = try await Store.open(at: "store", options: options)
        try await store.markServed()
        try await store.close()
        store = try await Store.open(at: "store", options: options)
        #expect(store.isServed)
        let findings = try await store.verify().findings
        #expect(findings.isEmpty)
        try await store.close()
    }

    @Test func aServedStoreIsIndexedAndDeclaredAsAnyOther() async throws {
        let storage = MemoryStorage()
        let store = try await served(on: storage)
        try await store.createIndex(Index("n"), on: "notes")
        let schema = Schema(version: 1) { Table("notes") { Index("m") } }
        let again = try await Store(storage: storage, schema: schema)
        #expect(try again.indexes(of: "notes").count == 1)
    }

    @Test(arguments: [true, false])
    func aMigrationOfAServedStoreChangesARepresentationAlone(isRepresentation: Bool) async throws {
        let storage = MemoryStorage()
        _ = try await served(on: storage)
        _ = try await Store(storage: storage, schema: Schema(version: 1) { Table("notes") })
        let schema = Schema(version: 2) { Table("notes") }
            .migrate("add", from: 1, representationOnly: isRepresentation) { transaction in
                try transaction.setDefault(1, for: "n", in: "notes")
            }
        guard isRepresentation else {
            let error = await #expect(throws: StoreError.self) {
                try await Store(storage: storage, schema: schema)
            }
            #expect(error?.code == .migrationFailed)
            #expect((error?.cause as? StoreError)?.code == .served)
            return
        }
        let store = try await Store(storage: storage, schema: schema)
        #expect(try store.read { try $0.get("a", in: "notes") } == ["id": "a", "n": 1])
    }
}
