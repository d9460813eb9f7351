import Holdfast
import HoldfastCommand
import HoldfastNetwork
import HoldfastStorage
import HoldfastSync
import HoldfastTesting
import Testing

/// Scenarios of sync.md from end to end: `hold sync` and `hold serve` as processes, over HTTP.
///
/// S17 and S26 are in `SyncCommandTests`: other datasets, mass deletions, and killed processes.
@Suite struct ProcessScenarioTests {
    private let hold: Hold

    init() throws { hold = try Hold() }

    private var phone: String { hold.path("phone") }
    private var laptop: String { hold.path("laptop") }

    private func sync(
        _ store: String,
        _ url: String,
        _ more: [String] = ["--timeout", "3600"]
    ) async throws -> Hold.Outcome {
        try await hold.runAside(["sync", store, url, "--token", "secret"] + more)
    }

    private func door(
        before server: ServedProcess,
        _ doorman: @escaping FrontDoor.Doorman
    ) throws -> FrontDoor {
        try FrontDoor(before: server.port, doorman)
    }

    private func put(_ store: String, _ record: String) async throws {
        #expect(try await hold.runAside("put", store, "notes", record).ending == .exited(0))
    }

    private func export(_ store: String) async throws -> [String] {
        try await hold.runAside("export", store, "notes").lines.sorted()
    }

    private func pending(_ store: String) async throws -> JSONValue? {
        let outcome = try await hold.runAside("status", store, "--json")
        return try JSONObject(parsing: outcome.output)["pending"]
    }

    /// A refusal as a server of sync gives it.
    private static func refusal(_ status: Int, _ type: String) -> HTTPResponse {
        let body =
            #"{"dataset":"d","epoch":"e","status":\#(status),"type":"\#(type)","detail":"No."}"#
        let head = HTTPResponseHead(
            status: status,
            headers: ["Content-Type": "application/problem+json"]
        )
        return HTTPResponse(head, body: Array(body.utf8))
    }

    @Test("S4: after one 503 and then silence everything drains by the clock alone")
    func oneRefusalIsTriedAgainByTheClock() async throws {
        let server = try ServedProcess(hold)
        let door = try door(before: server) { request, number in
            request.path == "/sync/push" && number == 1
                ? .answered(Self.refusal(503, "about:blank")) : .passed
        }
        try await put(phone, #"{"id":"a"}"#)
        #expect(try await sync(phone, door.url).ending == .exited(0))
        #expect(door.requests.count { $0.path == "/sync/push" } == 2)
        #expect(try await sync(laptop, server.url).ending == .exited(0))
        #expect(try await export(laptop) == export(phone))
    }

    @Test("S14: a history of exactly one page, and an empty one, need no page too many")
    func aFullPageNeedsAtMostOneMore() async throws {
        let server = try ServedProcess(hold)
        let door = try door(before: server) { _, _ in .passed }
        #expect(try await sync(laptop, door.url).ending == .exited(0))
        #expect(door.requests.count { $0.path == "/sync/changes" } == 1)
        let lines = (0..<5_000).map { #"{"id":"r\#($0)"}"# }.joined(separator: "\n")
        let file = try hold.file("records.jsonl", lines)
        #expect(try await hold.runAside("import", phone, "notes", file).ending == .exited(0))
        #expect(try await sync(phone, server.url).ending == .exited(0))
        let before = door.requests.count { $0.path == "/sync/changes" }
        #expect(try await sync(laptop, door.url).ending == .exited(0))
        #expect(door.requests.count { $0.path == "/sync/changes" } - before <= 2)
        #expect(try await export(laptop).count == 5_000)
    }

    @Test("S20: a token that is refused in the middle is said once, and nothing loops")
    func aRefusedTokenStopsTheSync() async throws {
        let server = try ServedProcess(hold)
        let door = try door(before: server) { request, _ in
            request.path == "/sync/push"
                ? .answered(Self.refusal(401, ProblemType.unauthorized)) : .passed
        }
        try await put(phone, #"{"id":"a"}"#)
        let stopped = try await sync(phone, door.url)
        #expect(stopped.ending == .exited(1) && stopped.errors.contains("token"))
        #expect(door.requests.count { $0.path == "/sync/push" } <= 2)
        #expect(try await pending(phone) == 1)
        door.setDoorman { _, _ in .passed }
        #expect(try await sync(phone, door.url).ending == .exited(0))
    }

    @Test("S24: a first sync that is killed goes on where it was")
    func aKilledFirstSyncGoesOn() async throws {
        let server = try ServedProcess(hold)
        let lines = (0..<12_000).map { #"{"id":"r\#($0)"}"# }.joined(separator: "\n")
        let file = try hold.file("records.jsonl", lines)
        #expect(try await hold.runAside("import", phone, "notes", file).ending == .exited(0))
        #expect(try await sync(phone, server.url).ending == .exited(0))
        let (second, told) = AsyncStream.makeStream(of: Void.self)
        let door = try door(before: server) { request, number in
            guard request.path == "/sync/changes", number == 2 else { return .passed }
            told.yield()
            return .held
        }
        let child = try hold.start("sync", laptop, door.url, "--token", "secret")
        var iterator = second.makeAsyncIterator()
        await iterator.next()
        child.kill()
        _ = try child.wait()
        let before = door.requests.count
        #expect(try await export(laptop).count == 5_000)
        #expect(try await sync(laptop, door.url).ending == .exited(0))
        let next = door.requests[before...].first { $0.path == "/sync/changes" }
        #expect(next?.head.target.contains("cursor=") == true)
        #expect(try await export(laptop) == export(phone))
    }

    @Test(
        "S33: a server that always sends back to the beginning is visible, and not asked for ever"
    )
    func aServerThatLeadsInACircleIsSaid() async throws {
        let server = try ServedProcess(hold)
        let door = try door(before: server) { request, _ in
            request.path == "/sync/changes"
                ? .answered(Self.refusal(410, ProblemType.cursorExpired)) : .passed
        }
        try await put(phone, #"{"id":"a"}"#)
        let stopped = try await sync(phone, door.url)
        #expect(stopped.ending == .exited(1))
        #expect(stopped.errors.contains("the server's answers make no sense"))
        #expect(door.requests.count { $0.path == "/sync/snapshot" } <= 4)
        #expect(try await !hold.runAside("status", phone).output.contains("synced"))
        door.setDoorman { _, _ in .passed }
        #expect(try await sync(phone, door.url).ending == .exited(0))
        #expect(try await sync(laptop, door.url).ending == .exited(0))
        #expect(try await export(laptop) == export(phone))
    }

    @Test("S37: a batch that is too large is halved, and one that stays so needs attention alone")
    func whatIsTooLargeIsHalved() async throws {
        let server = try ServedProcess(hold)
        let door = try door(before: server) { request, _ in
            request.path == "/sync/push" && request.body.count > 20_000
                ? .answered(Self.refusal(413, ProblemType.tooLarge)) : .passed
        }
        let text = String(repeating: "x", count: 5_000)
        let lines = (0..<30).map { #"{"id":"r\#($0)","text":"\#(text)"}"# }
        let huge = #"{"id":"huge","text":"\#(String(repeating: "y", count: 40_000))"}"#
        let file = try hold.file("records.jsonl", ([huge] + lines).joined(separator: "\n"))
        #expect(try await hold.runAside("import", phone, "notes", file).ending == .exited(0))
        let stopped = try await sync(phone, door.url)
        #expect(stopped.ending == .exited(1))
        #expect(stopped.errors.contains("1 change needs your attention"))
        let outbox = try await hold.runAside("outbox", phone, "--json")
        #expect(outbox.lines.count == 1 && outbox.output.contains(#""huge""#))
        #expect(door.requests.count { $0.path == "/sync/push" } < 30)
        #expect(try await sync(laptop, server.url).ending == .exited(0))
        #expect(try await export(laptop).count == 30)
        #expect(try await export(phone).count == 31)
    }

    @Test("S39: a captive portal reads as unreachable; nothing is acknowledged, nothing lost")
    func aPortalIsNoServer() async throws {
        let server = try ServedProcess(hold)
        let door = try door(before: server) { _, _ in
            let head = HTTPResponseHead(status: 200, headers: ["Content-Type": "text/html"])
            return .answered(HTTPResponse(head, body: Array("<html>Welcome</html>".utf8)))
        }
        try await put(phone, #"{"id":"a"}"#)
        let away = try await sync(phone, door.url, ["--timeout", "1"])
        #expect(away.ending == .exited(1))
        #expect(try await pending(phone) == 1)
        #expect(try await !hold.runAside("status", phone).output.contains("synced"))
        door.setDoorman { _, _ in .passed }
        #expect(try await sync(phone, door.url).ending == .exited(0))
        #expect(try await pending(phone) == 0)
    }

    @Test("S40: a record that is saved three times, with its first answer lost, is one record")
    func aRecordThatIsSavedThriceIsOne() async throws {
        let server = try ServedProcess(hold)
        let door = try door(before: server) { request, number in
            guard request.path == "/sync/push" else { return .passed }
            return number == 1 ? .answerLost : .answered(Self.refusal(503, "about:blank"))
        }
        try await put(phone, #"{"id":"a","title":"one"}"#)
        #expect(try await sync(phone, door.url, ["--timeout", "2"]).ending == .exited(1))
        try await put(phone, #"{"id":"a","title":"two"}"#)
        try await put(phone, #"{"id":"a","title":"three"}"#)
        door.setDoorman { _, _ in .passed }
        #expect(try await sync(phone, door.url).ending == .exited(0))
        #expect(try await sync(laptop, server.url).ending == .exited(0))
        #expect(try await export(laptop) == [#"{"id":"a","title":"three"}"#])
        #expect(try await hold.runAside("conflicts", laptop, "--json").lines.isEmpty)
    }

    @Test(
        "S41: a phone and a server that are restored from backups lose nothing, and double nothing"
    )
    func restoredStoresMeet() async throws {
        var server = try ServedProcess(hold)
        try await put(phone, #"{"id":"a","title":"one"}"#)
        #expect(try await sync(phone, server.url).ending == .exited(0))
        #expect(try await sync(laptop, server.url).ending == .exited(0))
        // The phone's backup has a change that was sent afterwards.
        try await put(phone, #"{"id":"b","title":"two"}"#)
        #expect(
            try await hold.runAside("backup", phone, hold.path("phone-copy")).ending == .exited(0)
        )
        #expect(
            try await hold.runAside("backup", hold.path("server"), hold.path("server-copy")).ending
                == .exited(0)
        )
        #expect(try await sync(phone, server.url).ending == .exited(0))
        try await put(laptop, #"{"id":"c","title":"three"}"#)
        #expect(try await sync(laptop, server.url).ending == .exited(0))
        // The server has lost what the phone and the laptop sent since.
        try server.kill()
        server = try ServedProcess(
            hold,
            store: "server-copy",
            ["--token", "secret=ada", "--restored"]
        )
        let restored = hold.path("phone-copy")
        for store in [laptop, restored, phone, laptop, restored] {
            #expect(try await sync(store, server.url).ending == .exited(0), "\(store)")
        }
        let all = try await export(laptop)
        #expect(all.count == 3)
        #expect(try await export(restored) == all)
        #expect(try await export(phone) == all)
    }

    // MARK: An app's engine, and a server in a process

    private static let schema = Schema(version: 1) {
        Table("notes").synced(SyncRules(fields: ["likes": .counter]))
    }

    /// An engine whose requests take no longer than `timeout`.
    private func engine(
        _ storage: any Storage,
        _ url: String,
        timeout: Duration = .seconds(3_600)
    ) async throws -> (Store, SyncEngine) {
        let store = try await Store(storage: storage, schema: Self.schema)
        var limits = TransportLimits()
        limits.timeout = timeout
        var configuration = SyncConfiguration()
        configuration.deadline = .seconds(7_200)
        configuration.backoffBase = .milliseconds(1)
        configuration.backoffCap = .milliseconds(20)
        let engine = try SyncEngine(
            store: store,
            transport: SocketTransport(try ServerURL(url), limits: limits, now: { 0 }),
            configuration: configuration,
            token: { _ in "secret" }
        )
        engine.start()
        return (store, engine)
    }

    private func open(_ disk: SimulatedDisk) async throws -> JournalStorage {
        var configuration = JournalConfiguration()
        configuration.fileSystem = disk
        return try await JournalStorage.open(at: "/store", configuration: configuration)
    }

    @Test("S5: a request that nobody answers is given up and sent again, and has one effect")
    func aRequestThatIsHeldIsSentAgain() async throws {
        let server = try ServedProcess(hold)
        let door = try door(before: server) { request, number in
            request.path == "/sync/push" && number <= 2 ? .held : .passed
        }
        let (store, engine) = try await engine(MemoryStorage(), door.url, timeout: .seconds(1))
        try await store.write { try $0.put(["id": "a", "likes": 0], in: "notes") }
        try await engine.waitForSync()
        try await store.write { try $0.increment("likes", of: "a", in: "notes") }
        try await engine.waitForSync()
        await engine.stop()
        #expect(door.requests.count { $0.path == "/sync/push" } >= 4)
        #expect(try await sync(laptop, server.url).ending == .exited(0))
        #expect(try await export(laptop) == [#"{"id":"a","likes":1}"#])
    }

    @Test("S26, S41: a step of a counter counts once, whatever is lost, killed and restored")
    func aStepOfACounterCountsOnce() async throws {
        let server = try ServedProcess(hold)
        let door = try door(before: server) { _, _ in .passed }
        let disk = SimulatedDisk()
        let (store, phone) = try await engine(open(disk), door.url)
        try await store.write { try $0.put(["id": "a", "likes": 0], in: "notes") }
        try await phone.waitForSync()
        // The step arrives, and nobody hears of it; then the process dies.
        let (arrived, told) = AsyncStream.makeStream(of: Void.self)
        let pushes = door.requests.count { $0.path == "/sync/push" }
        door.setDoorman { request, number in
            guard request.path == "/sync/push" else { return .passed }
            if number == pushes + 2 { told.yield() }
            return number <= pushes + 2 ? .answerLost : .held
        }
        try await store.write { try $0.increment("likes", of: "a", in: "notes", by: 5) }
        var iterator = arrived.makeAsyncIterator()
        await iterator.next()
        // One goes on from there; another one is a copy of the same, as from a backup.
        let images = [disk.image().afterKill(), disk.image().afterKill()]
        await phone.stop()
        door.setDoorman { _, _ in .passed }
        for image in images {
            let (_, engine) = try await engine(open(image), door.url)
            try await engine.waitForSync()
            await engine.stop()
        }
        #expect(try await sync(laptop, server.url).ending == .exited(0))
        #expect(try await export(laptop) == [#"{"id":"a","likes":5}"#])
    }
}
