import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import Testing

/// What a server does with its store.
struct SyncServerTests {
    @Test func servedStoreIsReadAsAnyOtherAndWrittenThroughTheServerAlone() async throws {
        let store = try await Store(storage: MemoryStorage())
        let server = try await SyncServer(store: store)
        try await server.write { transaction in
            try transaction.put(["title": "Bread", "stars": 3], of: "a", in: "notes")
            try transaction.patch("a", in: "notes", with: ["stars": 4], removing: ["none"])
        }
        let query = Query("notes").where("stars", .isGreater, 3)
        #expect(
            try store.read { try $0.fetch(query) } == [["id": "a", "title": "Bread", "stars": 4]]
        )
        let error = await #expect(throws: StoreError.self) {
            try await store.write { _ = try $0.put(["title": "Soup"], in: "notes") }
        }
        #expect(error?.code == .served)
    }

    @Test func throwFromWriteLeavesNothing() async throws {
        struct Stop: Error {}
        let server = try await SyncServer(store: Store(storage: MemoryStorage()))
        let client = try await TestClient(transport: LocalTransport(server: server))
        await #expect(throws: Stop.self) {
            try await server.write { transaction in
                try transaction.put(["x": 1], of: "a", in: "notes")
                throw Stop()
            }
        }
        #expect(try await client.changes().changes.isEmpty)
        await #expect(throws: StoreError.self) {
            try await server.write { transaction in
                _ = try transaction.patch("a", in: "notes", with: [:])
            }
        }
    }

    @Test func recordsThatWereThereBeforeAreServed() async throws {
        let storage = MemoryStorage()
        let store = try await Store(storage: storage)
        try await store.write { transaction in
            for number in Int64(0)..<10 {
                try transaction.put(["x": .integer(number)], in: "notes", id: RecordID(number))
            }
        }
        let server = try await SyncServer(store: store)
        let client = try await TestClient(transport: LocalTransport(server: server))
        let changes = try await client.changes().changes
        #expect(changes.count == 10)
        #expect(Set(changes.map(\.version)).count == 10)
        // A server that is made again on the same store goes on.
        let again = try await SyncServer(store: Store(storage: storage))
        let later = try await TestClient(transport: LocalTransport(server: again))
        #expect(later.dataset == client.dataset)
        #expect(try await later.changes().changes == changes)
    }

    @Test func manyRecordsAreAdoptedInBatches() async throws {
        let store = try await Store(storage: MemoryStorage())
        try await store.write { transaction in
            for number in Int64(0)..<4_001 {
                try transaction.put(["x": .integer(number)], in: "notes", id: RecordID(number))
            }
            try transaction.put(["x": 1], in: "zebras")
        }
        let server = try await SyncServer(store: store)
        let client = try await TestClient(transport: LocalTransport(server: server))
        let changes = try await client.changes(limit: 5_000).changes
        #expect(changes.map(\.sequence) == Array(1...4_002))
        #expect(changes.map(\.version.number) == Array(1...4_002))
        #expect(try server.brokenInvariants() == [])
    }

    @Test func correctionOfOneFieldLeavesTheOthersAsOldAsTheyAre() async throws {
        var configuration = SyncServerConfiguration()
        configuration.validate = { _, object, _ in
            if object["title"] != nil { object["slug"] = object["title"] }
            return nil
        }
        let server = try await SyncServer(
            store: Store(storage: MemoryStorage()),
            configuration: configuration
        )
        let client = try await TestClient(transport: LocalTransport(server: server))
        let base = try await client.create("a", ["stars": 1])
        let title = try await client.push(
            client.operation(.patch, "a", base: base, ["title": "bread"])
        )
        #expect(title.record == ["id": "a", "stars": 1, "title": "bread", "slug": "bread"])
        let stars = client.operation(.patch, "a", base: base, ["stars": 2])
        #expect(try await client.push(stars).status == .merged)
        let slug = client.operation(.patch, "a", base: base, ["slug": "soup"])
        #expect(try await client.push(slug).status == .conflict)
    }

    @Test func manyWritesOfOneTransactionAreOnePlaceInHistory() async throws {
        let server = try await SyncServer(store: Store(storage: MemoryStorage()))
        let client = try await TestClient(transport: LocalTransport(server: server))
        try await server.write { transaction in
            for number in Int64(0)..<5 {
                try transaction.put(["x": .integer(number)], of: "a", in: "notes")
            }
            try transaction.put(["x": 0], of: "b", in: "notes")
            #expect(try transaction.get("a", in: "notes")?["x"] == 4)
            #expect(try transaction.delete("b", in: "notes"))
            #expect(try !transaction.delete("b", in: "notes"))
            #expect(try transaction.version(of: "b", in: "notes") == RecordVersion(7))
        }
        let changes = try await client.changes().changes
        #expect(changes.map(\.sequence) == [1, 2])
        #expect(changes.map(\.version) == [RecordVersion(5), RecordVersion(7)])
        #expect(changes.map(\.kind) == [.put, .delete])
    }

    @Test func failingHandlerRollsBackAndFailsTheRequestOrRejects() async throws {
        struct Stop: Error {}
        var configuration = SyncServerConfiguration()
        configuration.actions["stop"] = { call, transaction in
            try transaction.put(["x": 1], of: "trace", in: "notes")
            if call.arguments["hard"] == true { throw Stop() }
            throw SyncProblem(type: ProblemType.forbidden, detail: "No.")
        }
        configuration.actions["elsewhere"] = { _, transaction in
            try transaction.put(["x": 1], of: "other", in: "notes")
        }
        let server = try await SyncServer(
            store: Store(storage: MemoryStorage()),
            configuration: configuration
        )
        let client = try await TestClient(transport: LocalTransport(server: server))
        let soft = client.operation(.action, "a", action: "stop")
        let after = client.put("b", ["x": 1])
        #expect(try await client.push([soft, after]).map(\.status) == [.rejected, .applied])
        let hard = client.operation(.action, "a", ["hard": true], action: "stop")
        #expect(try await refusal { _ = try await client.push([hard]) }.status == 500)
        let elsewhere = try await client.push(client.operation(.action, "a", action: "elsewhere"))
        #expect(elsewhere.status == .noop, "nothing of its own record will ever come")
        #expect(try await client.changes().changes.map(\.record.id) == ["b", "other"])
    }

    @Test func scopeWithoutUsableNameFailsTheRequest() async throws {
        var configuration = SyncServerConfiguration()
        configuration.scope = { _, _, _ in ScopeName("") }
        let server = try await SyncServer(
            store: Store(storage: MemoryStorage()),
            configuration: configuration
        )
        let client = try await TestClient(transport: LocalTransport(server: server))
        let refused = try await refusal { _ = try await client.push(client.put("a", ["x": 1])) }
        #expect(refused.status == 500)
    }

    @Test func authorizationSeesTheRecordAsItStands() async throws {
        var configuration = SyncServerConfiguration()
        configuration.authorize = { principal, operation, current in
            guard let owner = current?["owner"], owner != .string(principal.id) else { return nil }
            return SyncProblem(type: ProblemType.forbidden, detail: "\(operation.kind)")
        }
        let server = try await SyncServer(
            store: Store(storage: MemoryStorage()),
            configuration: configuration
        )
        let transport = LocalTransport(server: server)
        let ann = try await TestClient(transport: transport, "a", token: "ann")
        let bob = try await TestClient(transport: transport, "b", token: "bob")
        let version = try await ann.create("n", ["owner": "ann"])
        let theft = bob.operation(.patch, "n", base: version, ["owner": "bob"])
        #expect(try await bob.push(theft).problem?.detail == "patch")
        #expect(try await ann.push(ann.operation(.delete, "n", base: version)).status == .applied)
    }
}
