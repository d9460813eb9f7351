import Holdfast
import HoldfastNetwork
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import Synchronization
import Testing

/// What a listener answers to requests that are in order, and to those that are not.
@Suite struct ListenerTests {
    private static let paths = [
        "/sync/hello", "/sync/changes?client=c&scope=all", "/sync/snapshot?client=c&scope=all",
        "/sync/records?client=c&table=notes&id=n1", "/metrics",
    ]

    @Test func nothingIsReadableWithoutAToken() async throws {
        let served = try await ServedStore()
        for path in Self.paths + ["/sync/feed"] {
            for token in [nil, "carl", "an", "annn", ""] as [String?] {
                let response = try await served.get(path, token: token)
                #expect(response.status == 401, "\(path)")
                #expect(response.head.headers["WWW-Authenticate"] == "Bearer")
                #expect(try response.json["type"] == .string(ProblemType.unauthorized))
                #expect(try response.json["dataset"] != nil)
            }
        }
        let push = try await served.push(served.pushText(1), token: nil)
        #expect(push.status == 401)
        #expect(try served.server.store.read { try $0.count(of: "notes") } == 0)
        for path in Self.paths { #expect(try await served.get(path).status == 200, "\(path)") }
        #expect(try await served.get("/health", token: nil).status == 200)
    }

    @Test func anOpenServerAnswersEverybody() async throws {
        let served = try await ServedStore { $0.authentication = .open() }
        for path in Self.paths {
            #expect(try await served.get(path, token: nil).status == 200, "\(path)")
            #expect(try await served.get(path, token: "whatever").status == 200, "\(path)")
        }
    }

    @Test(arguments: [
        ("GET", "/", 404), ("GET", "/sync", 404), ("GET", "/sync/hello/", 404),
        ("GET", "/sync/push", 405), ("POST", "/sync/hello", 405), ("PUT", "/sync/push", 405),
        ("DELETE", "/health", 405), ("OPTIONS", "/sync/push", 405), ("POST", "/sync/feed", 405),
        ("GET", "/sync/../health", 400), ("GET", "/sync%2Fhello", 400), ("GET", "/%zz", 400),
        ("GET", "/sync/changes", 400), ("GET", "/sync/changes?client=c", 400),
        ("GET", "/sync/changes?client=c&scope=all&limit=x", 400),
        ("GET", "/sync/changes?client=c&client=d&scope=all", 400),
        ("GET", "/sync/changes?client=c&scope=all&cursor=0-5", 410),
        ("GET", "/sync/changes?client=c&scope=other", 403),
        ("GET", "/sync/changes?client=c&scope=all&dataset=d", 409),
        ("GET", "/sync/changes?client=c%00&scope=all", 400),
        ("GET", "/sync/records?client=c&id=n1", 400),
    ])
    func eachWrongRequestHasItsNamedAnswer(
        method: String,
        target: String,
        status: Int
    ) async throws {
        let served = try await ServedStore()
        let head = HTTPRequestHead(
            method: method,
            target: target,
            headers: ["Authorization": "Bearer ann"]
        )
        let response = try await served.send(HTTPRequest(head))
        #expect(response.status == status)
        #expect(response.head.headers["Cache-Control"] == "no-store")
        #expect(response.head.headers["Content-Type"] == "application/problem+json")
        let json = try response.json
        #expect(json["status"] == .integer(Int64(status)))
        #expect(json["dataset"] != nil && json["detail"] != nil)
    }

    @Test func aHeadRequestIsAnsweredWithoutTheBody() async throws {
        let served = try await ServedStore()
        let client = try await served.connect()
        for _ in 0..<2 {
            try await client.send("HEAD /health HTTP/1.1\r\nHost: h\r\n\r\n")
            let response = try await client.responses(1, method: "HEAD")[0]
            #expect(response.status == 200 && response.body == [])
            #expect(response.head.headers["Content-Length"] != "0")
        }
    }

    @Test func aPushIsTakenAsJSONAlone() async throws {
        let served = try await ServedStore()
        let body = Array(try await served.pushText(1).utf8)
        for type in ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""] {
            let head = HTTPRequestHead(
                method: "POST",
                target: "/sync/push",
                headers: ["Content-Type": type, "Authorization": "Bearer ann"]
            )
            #expect(try await served.send(HTTPRequest(head, body: body)).status == 415)
        }
        for type in ["application/json", "Application/JSON; charset=utf-8"] {
            let head = HTTPRequestHead(
                method: "POST",
                target: "/sync/push",
                headers: ["Content-Type": type, "Authorization": "Bearer ann"]
            )
            #expect(try await served.send(HTTPRequest(head, body: body)).status == 200)
        }
    }

    @Test(arguments: [
        "", "{", "[]", "null", "{}", #"{"client": 5}"#, "\u{0}", #"{"client": "c", "client": "c"}"#,
        "NESTED",
        #"{"client": "c", "dataset": "d", "ackedThrough": 99999999999999999999, "ops": []}"#,
        #"{"client": "c", "dataset": "DATASET", "ackedThrough": 0, "ops": [{"op": "explode"}]}"#,
    ])
    func garbageIsRefusedAndChangesNothing(_ body: String) async throws {
        let served = try await ServedStore()
        let dataset = try await served.server.hello(principal: Principal("ann")).dataset.text
        let sent = body.replacing("DATASET", with: dataset)
            .replacing("NESTED", with: String(repeating: "[", count: 100_000))
        let response = try await served.push(sent)
        #expect(response.status == 400)
        #expect(try response.json["type"] == .string(ProblemType.invalid))
        #expect(try served.server.store.read { try $0.tables() }.isEmpty)
        #expect(try await served.push(served.pushText(1)).status == 200)
    }

    @Test func aReplayedKeyHasOneEffectAndAnotherBodyNone() async throws {
        let served = try await ServedStore()
        let text = try await served.pushText(1)
        #expect(try await served.push(text).text.contains(#""status":"applied""#))
        #expect(try await served.push(text).text.contains(#""status":"replayed""#))
        let other = text.replacing("Note 1", with: "Note 2")
        let answer = try await served.push(other).text
        #expect(answer.contains("rejected") && answer.contains("key-reused"))
        let note = try served.server.store.read { try $0.get("n1", in: "notes") }
        #expect(note?["title"] == "Note 1")
        // Another principal's keys are its own.
        #expect(
            try await served.push(served.pushText(1, client: "pad"), token: "ben").status == 200
        )
    }

    @Test func theAccessLogSaysNothingOfTheContents() async throws {
        let records = Mutex<[AccessRecord]>([])
        let box = Box(records)
        let served = try await ServedStore { $0.accessLog = { box.append($0) } }
        _ = try await served.push(served.pushText(1))
        _ = try await served.get("/sync/records?client=c&table=notes&id=secret")
        _ = try await served.get("/nothing/secret")
        _ = try await served.get("/sync/hello", token: "secret")
        let client = try await served.connect()
        try await client.send("secret\r\n\r\n")
        _ = try await client.rest()
        await served.listener.stop(grace: .patient)
        let log = box.records
        #expect(log.map(\.status) == [200, 200, 404, 401, 400])
        #expect(log.map(\.path) == ["/sync/push", "/sync/records", "", "/sync/hello", ""])
        #expect(log.map { $0.principal?.id } == ["ann", "ann", nil, nil, nil])
        #expect(!"\(log)".contains("secret") && !"\(log)".contains("Note"))
    }

    @Test func theMetricsCountWhatWasAnswered() async throws {
        let served = try await ServedStore()
        for _ in 0..<3 { _ = try await served.get("/sync/hello") }
        _ = try await served.get("/sync/hello", token: nil)
        let response = try await served.get("/metrics")
        #expect(response.head.headers["Content-Type"]?.hasPrefix("text/plain") == true)
        let lines = response.text.split(separator: "\n")
        #expect(lines.contains(#"holdfast_requests_total{route="hello",status="200"} 3"#))
        #expect(lines.contains(#"holdfast_requests_total{route="hello",status="401"} 1"#))
        #expect(lines.contains("# TYPE holdfast_requests_total counter"))
        for line in lines where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            #expect(words.count == 2 && Double(words[1]) != nil, "\(line)")
        }
    }

    private final class Box: Sendable {
        private let content: Mutex<[AccessRecord]>

        init(_ content: consuming sending Mutex<[AccessRecord]>) { self.content = content }

        func append(_ record: AccessRecord) { content.withLock { $0.append(record) } }

        var records: [AccessRecord] { content.withLock { $0 } }
    }
}
