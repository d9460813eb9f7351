import Holdfast
import HoldfastSync
import Testing

@Suite struct StoreLinkTests {
    private let store: Store

    init() async throws {
        store = try await Store(
            storage: MemoryStorage(),
            ids: RecordIDGenerator(clock: { 1_000 }, randomness: { 7 })
        )
    }

    private func link(local: Set<TableName> = []) async throws {
        var link = StoreLink()
        link.url = "http://127.0.0.1:8080"
        link.local = local
        let made = link
        try await store.writeUnrecorded { try $0.set(made) }
        try store.followLink()
    }

    private var mutations: [Mutation] {
        get throws {
            try store.read { transaction in
                var mutations: [Mutation] = []
                try transaction.scanMutations { mutation in
                    mutations.append(mutation)
                    return true
                }
                return mutations
            }
        }
    }

    @Test func aStoreWithoutALinkQueuesNothing() async throws {
        try store.followLink()
        try await store.write { try $0.put(["id": "a"], in: "notes") }
        #expect(try mutations.isEmpty)
        #expect(try store.read { try $0.storeLink() } == StoreLink())
    }

    @Test func localTablesAloneDoNotLink() async throws {
        var link = StoreLink()
        link.local = ["drafts"]
        let made = link
        try await store.writeUnrecorded { try $0.set(made) }
        try store.followLink()
        try await store.write { try $0.put(["id": "a"], in: "notes") }
        #expect(try mutations.isEmpty)
    }

    @Test func aWriteOfALinkedStoreAndItsMutationAreOneCommit() async throws {
        try await link()
        let before = try store.sequenceNumber
        try await store.write { try $0.put(["id": "a", "n": 1], in: "notes") }
        #expect(try store.sequenceNumber.rawValue == before.rawValue + 1)
        let mutation = try #require(try mutations.first)
        #expect(try mutations.count == 1)
        #expect(mutation.change == .put(["id": "a", "n": 1]))
        #expect(mutation.record == RecordReference("notes", "a"))
        #expect(mutation.schema == 0)
    }

    @Test func tablesThatComeLaterAreSyncedAndLocalOnesAreNot() async throws {
        try await link(local: ["drafts"])
        try await store.write { transaction in
            try transaction.put(["id": "a"], in: "later")
            try transaction.put(["id": "b"], in: "drafts")
            try transaction.put(["id": "c"], in: "holdfast_own")
        }
        #expect(try mutations.map(\.record) == [RecordReference("later", "a")])
    }

    @Test func aTablesOwnIDFieldIsNoEdit() async throws {
        try await link()
        try await store.write { transaction in
            try transaction.declare("cities", idField: "code")
            try transaction.put(["code": "x", "name": "X"], in: "cities")
        }
        let mutation = try #require(try mutations.first)
        #expect(mutation.record == RecordReference("cities", "x"))
        #expect(mutation.change == .put(["code": "x", "name": "X"]))
    }

    @Test func aFailedTransactionOfALinkedStoreQueuesNothing() async throws {
        try await link()
        await #expect(throws: CancellationError.self) {
            try await store.write { transaction in
                try transaction.put(["id": "a"], in: "notes")
                throw CancellationError()
            }
        }
        #expect(try mutations.isEmpty)
    }

    @Test func aLinkIsReadAsItWasStored() async throws {
        var link = StoreLink()
        link.url = "http://h:1/base/"
        link.local = ["b", "a"]
        link.lastSync = 1_764_000_000_000
        let made = link
        try await store.writeUnrecorded { try $0.set(made) }
        #expect(try store.read { try $0.storeLink() } == made)
    }
}
