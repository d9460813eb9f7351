import Foundation
import Holdfast
import HoldfastHTTP
import HoldfastNetwork
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastTesting
import Testing

/// The protocol by the system's URL loading, against a real server and against what is none.
@Suite struct HTTPTransportTests {
    private static let ann = SyncCredentials(token: "ann")
    private static let patient = Duration.seconds(3_600)
    private static let hello = HTTPRequest(
        HTTPRequestHead(
            method: "GET",
            target: "/sync/hello",
            headers: ["Authorization": "Bearer ann"]
        )
    )

    private func serve(_ schema: Schema? = nil) async throws -> (SyncServer, SyncListener) {
        let server = try await SyncServer(store: Store(storage: MemoryStorage(), schema: schema))
        var configuration = ListenerConfiguration(
            authentication: .tokens(["ann": Principal("ann")])
        )
        configuration.port = 0
        configuration.headTimeout = Self.patient
        configuration.bodyTimeout = Self.patient
        configuration.idleTimeout = Self.patient
        return (server, try SyncListener(server, configuration))
    }

    private func transport(
        _ port: Int,
        path: String = "",
        timeout: Duration = patient
    ) throws -> HTTPTransport {
        let url = try #require(URL(string: "http://127.0.0.1:\(port)\(path)"))
        return try HTTPTransport(baseURL: url, timeout: timeout)
    }

    private func failure(
        _ body: () async throws(TransportFailure) -> Void
    ) async -> TransportFailure? {
        do throws(TransportFailure) {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    @Test func everyRequestIsAnsweredAsTheServerAnswersIt() async throws {
        let (server, listener) = try await serve()
        try await server.write {
            _ = try $0.put(["title": "Brötchen + Käse"], of: "ä&+ 1", in: "notes")
        }
        let transport = try transport(listener.port)
        let hello = try await transport.hello(Self.ann)
        #expect(try await hello == server.hello(principal: Principal("ann")))
        let operation = PushOperation(
            key: MutationKey("k1"),
            sequence: 1,
            record: RecordReference("notes", "b"),
            kind: .put,
            fields: ["id": "b", "text": .string(String(repeating: "x", count: 300_000))]
        )
        let push = PushRequest(
            client: ClientID("phone"),
            dataset: hello.dataset,
            acknowledgedThrough: 0,
            operations: [PushRequest.Operation(text: try operation.text())]
        )
        #expect(try await transport.push(push, Self.ann).results.map(\.status) == [.applied])
        #expect(try await transport.push(push, Self.ann).results.map(\.status) == [.replayed])
        let all = ScopeName("all")
        let changes = ChangesRequest(client: ClientID("phone"), scope: all, limit: 10)
        #expect(try await transport.changes(changes, Self.ann).changes.count == 2)
        let snapshot = SnapshotRequest(client: ClientID("phone"), scope: all, limit: 1)
        #expect(try await transport.snapshot(snapshot, Self.ann).records.count == 1)
        let records = RecordsRequest(client: ClientID("phone"), table: "notes", ids: ["ä&+ 1"])
        #expect(
            try await transport.records(records, Self.ann).records.first?.fields?["title"]
                == "Brötchen + Käse"
        )
    }

    @Test func refusalsSayWhatTheServerSays() async throws {
        let (_, listener) = try await serve()
        let transport = try transport(listener.port)
        let refused = await failure { () throws(TransportFailure) in
            _ = try await transport.hello(SyncCredentials(token: "carl"))
        }
        #expect(refused?.kind == .refused(status: 401))
        #expect(refused?.problem?.type == ProblemType.unauthorized)
        let elsewhere = try self.transport(listener.port, path: "/nowhere")
        let missing = await failure { () throws(TransportFailure) in
            _ = try await elsewhere.hello(Self.ann)
        }
        #expect(missing?.kind == .refused(status: 404))
    }

    @Test(
        arguments: [
            ("HTTP/1.1 302 Found\r\nLocation: /portal\r\nContent-Length: 0\r\n\r\n", .foreign),
            ("HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n<html></html>", .foreign),
            ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", .foreign),
            ("HTTP/1.1 511 Login\r\nContent-Length: 0\r\n\r\n", .foreign),
            ("HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n{\"dataset\":\"d\"}", .invalid),
            ("HTTP/1.1 204 No Content\r\n\r\n", .foreign), ("", .unreachable),
            ("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"dataset\"", .unreachable),
        ] as [(String, TransportFailure.Kind)]
    )
    func whatIsNotTheServerProvesNothing(
        answer: String,
        kind: TransportFailure.Kind
    ) async throws {
        let server = try ScriptedServer(answer)
        let transport = try transport(server.port)
        let failure = await failure { () throws(TransportFailure) in
            _ = try await transport.hello(Self.ann)
        }
        #expect(failure?.kind == kind)
        // A redirect was not followed: the token went to nobody else.
        #expect(server.requests.allSatisfy { $0.target == "/sync/hello" })
    }

    @Test func aDelayIsCountedByTheServersOwnClock() async throws {
        let body = #"{"dataset":"d","epoch":"e","status":503,"type":"t","detail":"later"}"#
        let server = try ScriptedServer(
            "HTTP/1.1 503 Busy\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
                + "Retry-After: Sun, 06 Nov 1994 08:50:37 GMT\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        let transport = try transport(server.port)
        let failure = await failure { () throws(TransportFailure) in
            _ = try await transport.hello(Self.ann)
        }
        #expect(failure?.kind == .refused(status: 503))
        #expect(failure?.retryAfter == .seconds(60))
    }

    @Test func nobodyThereIsUnreachable() async throws {
        let listener = try SocketListener(host: "127.0.0.1", port: 0)
        let transport = try transport(listener.port, timeout: .milliseconds(50))
        // It listens and never answers.
        let silent = await failure { () throws(TransportFailure) in
            _ = try await transport.hello(Self.ann)
        }
        #expect(silent?.kind == .timedOut)
        let free = try SocketListener(host: "127.0.0.1", port: 0).port
        let nobody = try self.transport(free)
        let refused = await failure { () throws(TransportFailure) in
            _ = try await nobody.hello(Self.ann)
        }
        #expect(refused?.kind == .unreachable)
    }

    /// On Linux the library ends the process when a task is cancelled while it completes.
    @Test func requestsThatAreCancelledAtAnyMomentEndNothingElse() async throws {
        let (_, listener) = try await serve()
        let transport = try transport(listener.port)
        for round in 0..<300 {
            let task = Task { try await transport.hello(Self.ann) }
            for _ in 0..<round % 40 { await Task.yield() }
            task.cancel()
            _ = await task.result
        }
        #expect(try await transport.hello(Self.ann).scopes.count == 1)
    }

    /// Nobody there ever answers: each ends because it is told so, at whatever moment that is.
    @Test func whoIsCancelledWaitsNoLonger() async throws {
        let server = try ScriptedServer("", isSilent: true)
        let transport = try transport(server.port)
        for round in 0..<200 {
            let task = Task { try await transport.hello(Self.ann) }
            for _ in 0..<round % 20 { await Task.yield() }
            task.cancel()
            guard case .failure(let error) = await task.result else {
                Issue.record("there was an answer")
                return
            }
            #expect(error as? TransportFailure == TransportFailure(.timedOut))
        }
    }

    @Test func aFeedThatFallsSilentEnds() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
        let event = "event: resync\ndata:\n\n"
        // The length of one more is promised.
        let server = try ScriptedServer(
            head + "Content-Length: \(event.utf8.count * 2)\r\n\r\n" + event,
            isSilent: true,
            opening: head + "Content-Length: 0\r\n\r\n"
        )
        let exchange = URLSessionExchange(try ServerURL("http://127.0.0.1:\(server.port)"))
        let request = HTTPRequest(HTTPRequestHead(method: "GET", target: "/sync/feed"))
        // As long as the machine takes to get that far, and not much longer.
        var silence = Duration.seconds(1)
        var bytes: [UInt8] = []
        while bytes.isEmpty {
            silence = silence * 2
            guard
                let (answer, body) = try? await exchange.stream(
                    request,
                    opening: Self.hello,
                    silence: silence
                )
            else { continue }
            #expect(answer.status == 200)
            for await part in body { bytes += part }
        }
        #expect(String(decoding: bytes, as: UTF8.self) == event)
        // On Linux a line over a connection of its own would cost a processor while it is silent.
        #if !canImport(Darwin)
        if silence == .seconds(2) {
            #expect(server.requests.map(\.target) == ["/sync/hello", "/sync/feed"])
            #expect(server.connections == 1)
        }
        #endif
    }

    @Test func whoTakesNoPartsOfAFeedGetsItsEndAndNoGap() async throws {
        let parts = 200
        let (server, listener) = try await serve()
        let exchange = URLSessionExchange(try ServerURL("http://127.0.0.1:\(listener.port)"))
        let request = HTTPRequest(
            HTTPRequestHead(
                method: "GET",
                target: "/sync/feed",
                headers: ["Authorization": "Bearer ann"]
            )
        )
        let (_, body) = try await exchange.stream(
            request,
            opening: Self.hello,
            silence: Self.patient
        )
        var iterator = body.makeAsyncIterator()
        var text = String(decoding: await iterator.next() ?? [], as: UTF8.self)
        for number in 0..<parts {
            try await server.write {
                _ = try $0.put(["x": 1], of: RecordID(Int64(number)), in: "notes")
            }
        }
        await listener.stop(grace: Self.patient)
        while let part = await iterator.next() { text += String(decoding: part, as: UTF8.self) }
        let events = text.components(separatedBy: "\n\n").dropLast()
        #expect(events.allSatisfy { $0.hasPrefix("event: ") })
    }

    @Test func anAnswerThatIsTooLongIsNotKept() async throws {
        let (_, listener) = try await serve()
        let url = try #require(URL(string: "http://127.0.0.1:\(listener.port)"))
        let transport = try HTTPTransport(baseURL: url, timeout: Self.patient, responseLimit: 20)
        let failure = await failure { () throws(TransportFailure) in
            _ = try await transport.hello(Self.ann)
        }
        #expect(failure?.kind == .invalid)
    }

    @Test func hintsComeByTheFeedAndEndWithTheListener() async throws {
        let (server, listener) = try await serve()
        let transport = try transport(listener.port)
        var hints = transport.pokes(Self.ann).makeAsyncIterator()
        #expect(await hints.next() == .resync)
        try await server.write { _ = try $0.put(["x": 1], of: "a", in: "notes") }
        #expect(await hints.next() == .poke([ScopeName("all")]))
        await listener.stop(grace: Self.patient)
        #expect(await hints.next() == nil)
        var none = try self.transport(listener.port).pokes(Self.ann).makeAsyncIterator()
        #expect(await none.next() == nil)
    }

    @Test func twoDevicesConvergeOverHTTP() async throws {
        let schema = Schema(version: 1) {
            Table("notes").synced(SyncRules(fields: ["likes": .counter]))
        }
        let (_, listener) = try await serve(schema)
        var devices: [(store: Store, engine: SyncEngine)] = []
        for _ in 0..<2 {
            let store = try await Store(storage: MemoryStorage(), schema: schema)
            let engine = try SyncEngine(
                store: store,
                transport: try transport(listener.port),
                token: { _ in "ann" }
            )
            engine.start()
            devices.append((store, engine))
        }
        let (phone, laptop) = (devices[0], devices[1])
        try await phone.store.write { try $0.put(["id": "a", "likes": 0], in: "notes") }
        try await phone.engine.waitForSync()
        try await laptop.engine.waitForSync()
        for device in devices {
            try await device.store.write { try $0.increment("likes", of: "a", in: "notes") }
            try await device.engine.waitForSync()
        }
        try await phone.engine.waitForSync()
        for device in devices {
            let likes = try device.store.read { try $0.get("a", in: "notes")?["likes"] }
            #expect(likes == 2)
            await device.engine.stop()
        }
    }

    @Test(arguments: [
        "ftp://host/", "http:///", "https://u@host/", "http://host/?a=b", "file:///x",
    ])
    func aURLThatCannotBeABaseIsRefused(text: String) throws {
        let url = try #require(URL(string: text))
        #expect(throws: HTTPTransportError.self) { try HTTPTransport(baseURL: url) }
    }

    @Test func aPasswordIsNotSaidAgain() throws {
        let url = try #require(URL(string: "https://ann:secret@host:80/sync"))
        let error = #expect(throws: HTTPTransportError.self) { try HTTPTransport(baseURL: url) }
        #expect(error?.description.contains("'https://host:80/sync' has to be") == true)
    }
}
