import Holdfast
import HoldfastNetwork
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import Testing

/// What a listener answers later: hints, and pages that somebody waits for; and how it stops.
@Suite struct ListenerFeedTests {
    private static let wait =
        "GET /sync/changes?client=c&scope=all&wait=20000 HTTP/1.1\r\nHost: h\r\n"
        + "Authorization: Bearer ann\r\n\r\n"
    private static let feed =
        "GET /sync/feed HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ann\r\n\r\n"

    @Test func aPageThatIsWaitedForComesWithTheFirstChange() async throws {
        let served = try await ServedStore()
        let client = try await served.connect()
        try await client.send(Self.wait)
        _ = try await served.push(served.pushText(1))
        let page = try await client.responses(1)[0]
        #expect(page.status == 200 && page.text.contains("Note 1"))
        // What is there already is not waited for.
        try await client.send(Self.wait)
        #expect(try await client.responses(1)[0].text.contains("Note 1"))
    }

    @Test func aPageThatIsWaitedForInVainIsEmpty() async throws {
        let served = try await ServedStore { $0.longestWait = .milliseconds(20) }
        let client = try await served.connect()
        try await client.send(Self.wait)
        let page = try await client.responses(1)[0]
        #expect(try page.status == 200 && page.json["changes"] == [])
    }

    @Test func aFeedTellsWhatItsPrincipalSeesAndNothingElse() async throws {
        var configuration = SyncServerConfiguration()
        configuration.scope = { _, _, principal in ScopeName(principal?.id ?? "all") }
        configuration.scopes = { [ScopeName($0.id)] }
        let store = try await Store(storage: MemoryStorage())
        let server = try await SyncServer(store: store, configuration: configuration)
        let served = try await ServedStore(server)
        let client = try await served.connect()
        try await client.send(Self.feed)
        let head = try await client.read(until: "event: resync")
        #expect(head.hasPrefix("HTTP/1.1 200 ") && head.contains("text/event-stream"))
        #expect(head.contains("X-Accel-Buffering: no\r\n"))
        _ = try await served.push(served.pushText(1, client: "pad"), token: "ben")
        _ = try await served.push(served.pushText(2))
        let event = try await client.read(until: "event: poke")
        #expect(event.contains("ann") && !event.contains("ben") && !event.contains("Note"))
    }

    @Test func aSilentFeedIsToldThatItsLineIsAlive() async throws {
        let served = try await ServedStore { $0.pingInterval = .milliseconds(5) }
        let client = try await served.connect()
        try await client.send(Self.feed)
        let text = try await client.read(until: "event: ping")
        #expect(!text.contains("event: poke"))
    }

    @Test func aFeedEndsAfterAWhileAndIsOpenedAnew() async throws {
        let served = try await ServedStore { $0.feedLifetime = .zero }
        let transport = try served.transport
        for number in 1...2 {
            var hints = transport.pokes(SyncCredentials(token: "ann")).makeAsyncIterator()
            #expect(await hints.next() == .resync)
            _ = try await served.push(served.pushText(number))
            #expect(await hints.next() == .poke([ScopeName("all")]))
            #expect(await hints.next() == nil)
        }
    }

    @Test func theTransportHearsWhatTheFeedTells() async throws {
        let served = try await ServedStore()
        let transport = try served.transport
        let hints = transport.pokes(SyncCredentials(token: "ann"))
        var iterator = hints.makeAsyncIterator()
        #expect(await iterator.next() == .resync)
        _ = try await served.push(served.pushText(1))
        #expect(await iterator.next() == .poke([ScopeName("all")]))
        await served.listener.stop(grace: .patient)
        #expect(await iterator.next() == nil)
        // Without a token there is nothing to hear.
        var none = transport.pokes(SyncCredentials()).makeAsyncIterator()
        #expect(await none.next() == nil)
    }

    @Test func stoppingAnswersWhatIsUnderWayAndEndsTheRest() async throws {
        let served = try await ServedStore()
        let waiting = try await served.connect()
        // Both are under way when their first bytes, or the count of requests, show it.
        let feed = try await served.connect()
        try await feed.send(Self.feed)
        _ = try await feed.read(until: "event: resync")
        let idle = try await served.connect()
        try await idle.send("GET /health HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try await idle.responses(1)
        try await waiting.send(Self.wait)
        var listeners = 0
        while listeners < 2 {
            listeners = served.server.listenerCount
            await Task.yield()
        }
        await served.listener.stop(grace: .patient)
        let page = try await waiting.rest()
        #expect(page.hasPrefix("HTTP/1.1 200 ") && page.contains("Connection: close\r\n"))
        #expect(try await feed.rest() == "")
        #expect(try await idle.rest() == "")
        await #expect(throws: (any Error).self) { _ = try await served.get("/health") }
    }

    @Test func theStopOfOneListenerLeavesTheServerToOthers() async throws {
        let first = try await ServedStore()
        let second = try await ServedStore(first.server)
        await first.listener.stop(grace: .patient)
        #expect(try await second.get("/sync/hello").status == 200)
    }

    @Test func aPortThatIsTakenIsAnErrorThatNamesIt() async throws {
        let served = try await ServedStore()
        let port = served.listener.port
        do {
            _ = try await ServedStore { $0.port = port }
            Issue.record("two servers listen at one port")
        } catch let error as ListenerError {
            #expect(error.description.contains("127.0.0.1:\(port)"))
        }
    }
}
