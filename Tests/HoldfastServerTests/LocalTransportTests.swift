import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import Testing

/// A transport to a server in the same process.
struct LocalTransportTests {
    private func server() async throws -> SyncServer {
        try await SyncServer(store: Store(storage: MemoryStorage()))
    }

    @Test func tokenThatNobodyHasIsRefusedAndHearsNothing() async throws {
        let transport = LocalTransport(server: try await server()) {
            $0.token.map { Principal($0) }
        }
        let refused = try await refusal { _ = try await transport.hello(SyncCredentials()) }
        #expect(refused == (401, ProblemType.unauthorized))
        #expect(try await transport.hello(SyncCredentials(token: "ann")).scopes.count == 1)
        for await poke in transport.pokes(SyncCredentials()) { Issue.record("\(poke)") }
    }

    @Test func everybodyIsSomebodyUnlessToldOtherwise() async throws {
        let transport = LocalTransport(server: try await server())
        #expect(try await transport.hello(SyncCredentials()).scopes == [ScopeName("all")])
        #expect(transport.capabilities == .all)
    }

    @Test func pokeTellsOfEachChangeToWhomItConcerns() async throws {
        var configuration = SyncServerConfiguration()
        configuration.scope = { _, object, _ in ScopeName(object["scope"]?.stringValue ?? "all") }
        configuration.scopes = { principal in [ScopeName("all"), ScopeName(principal.id)] }
        let server = try await SyncServer(
            store: Store(storage: MemoryStorage()),
            configuration: configuration
        )
        let transport = LocalTransport(server: server)
        var ann = transport.pokes(SyncCredentials(token: "ann")).makeAsyncIterator()
        var bob = transport.pokes(SyncCredentials(token: "bob")).makeAsyncIterator()
        try await server.write { _ = try $0.put(["scope": "ann"], of: "n", in: "notes") }
        #expect(await ann.next() == .poke([ScopeName("ann")]))
        try await server.beginEpoch()
        #expect(await ann.next() == .resync)
        #expect(await bob.next() == .resync, "what is not bob's told him nothing")
        server.scopesChanged(of: Principal("bob"))
        #expect(await bob.next() == .poke([]), "he may see any now")
    }

    @Test func hintsThatWaitAreOneThatSaysTheSame() async throws {
        var configuration = SyncServerConfiguration()
        configuration.scope = { _, object, _ in ScopeName(object["scope"]?.stringValue ?? "all") }
        configuration.scopes = { _ in [ScopeName("a"), ScopeName("b"), ScopeName("c")] }
        let server = try await SyncServer(
            store: Store(storage: MemoryStorage()),
            configuration: configuration
        )
        var ann = server.pokes(principal: Principal("ann")).makeAsyncIterator()
        for scope in ["a", "b", "elsewhere", "a"] as [JSONValue] {
            try await server.write { _ = try $0.put(["scope": scope], of: "n", in: "notes") }
        }
        #expect(await ann.next() == .poke([ScopeName("a"), ScopeName("b")]))
        try await server.write { _ = try $0.put(["scope": "c"], of: "n", in: "notes") }
        server.scopesChanged(of: Principal("ann"))
        try await server.write { _ = try $0.put(["scope": "b"], of: "n", in: "notes") }
        #expect(await ann.next() == .poke([]), "one that names none may mean any")
        try await server.write { _ = try $0.put(["scope": "c"], of: "n", in: "notes") }
        try await server.beginEpoch()
        try await server.write { _ = try $0.put(["scope": "b"], of: "n", in: "notes") }
        #expect(await ann.next() == .resync)
    }
}
