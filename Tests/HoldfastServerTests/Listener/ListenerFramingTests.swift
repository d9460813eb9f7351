import Foundation
import Holdfast
import HoldfastNetwork
import HoldfastServer
import HoldfastSync
import Testing

/// Where one message ends and the next begins, and how long a listener waits for that.
@Suite struct ListenerFramingTests {
    private static let hello =
        "GET /sync/hello HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ann\r\n\r\n"

    @Test(arguments: [
        ("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n"),
        ("Content-Length: 5\r\nContent-Length: 5\r\n", "hello"),
        ("Content-Length: 5, 5\r\n", "hello"), ("Content-Length: +5\r\n", "hello"),
        ("Content-Length: 5\r\nContent-Length: 6\r\n", "hello!"),
        ("Transfer-Encoding : chunked\r\n", "0\r\n\r\n"),
        ("Content-Length: 5\r\n folded: yes\r\n", "hello"), ("A: b\nC: d\r\n", ""),
        ("Host: other\r\n", ""), ("A\u{0}: b\r\n", ""), (": b\r\n", ""),
    ])
    func ambiguousFramingIsRefusedAndTheConnectionClosed(
        fields: String,
        body: String
    ) async throws {
        let served = try await ServedStore()
        let client = try await served.connect()
        let smuggled = "GET /health HTTP/1.1\r\nHost: h\r\n\r\n"
        try await client.send(
            "POST /sync/push HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ann\r\n"
                + "Content-Type: application/json\r\n\(fields)\r\n\(body)\(smuggled)"
        )
        client.stream.finishSending()
        let answer = try await client.rest()
        #expect(answer.hasPrefix("HTTP/1.1 400 "))
        #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2, "one answer alone")
        #expect(answer.contains("Connection: close\r\n"))
    }

    @Test func requestsInOnePieceAreAnsweredInTheirOrder() async throws {
        let served = try await ServedStore()
        let client = try await served.connect()
        let body = try await served.pushText(1)
        let push =
            "POST /sync/push HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ann\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        let changes =
            "GET /sync/changes?client=c&scope=all HTTP/1.1\r\nHost: h\r\n"
            + "Authorization: Bearer ann\r\n\r\n"
        try await client.send(Self.hello + changes + push + changes + Self.hello)
        let responses = try await client.responses(5)
        #expect(responses.map(\.status) == [200, 200, 200, 200, 200])
        #expect(try responses[0].json["protocol"] != nil)
        #expect(try responses[1].json["changes"] == [])
        #expect(responses[2].text.contains("applied"))
        #expect(responses[3].text.contains("Note 1"))
        #expect(try responses[4].json["protocol"] != nil)
    }

    @Test func aBodyInChunksIsOneBody() async throws {
        let served = try await ServedStore()
        let client = try await served.connect()
        let body = Array(try await served.pushText(1).utf8)
        try await client.send(
            "POST /sync/push HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ann\r\n"
                + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        for start in stride(from: 0, to: body.count, by: 7) {
            let part = body[start..<min(start + 7, body.count)]
            try await client.send(String(part.count, radix: 16) + ";x=y\r\n")
            try await client.stream.write(Array(part), patience: .patient)
            try await client.send("\r\n")
        }
        try await client.send("0\r\nTrailer: x\r\n\r\n" + Self.hello)
        let responses = try await client.responses(2)
        #expect(responses[0].text.contains("applied") && responses[1].status == 200)
    }

    @Test func aClientThatAsksBeforeItsBodyIsToldToGoOn() async throws {
        let served = try await ServedStore()
        let client = try await served.connect()
        let body = try await served.pushText(1)
        let head =
            "POST /sync/push HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.utf8.count)\r\nExpect: 100-continue\r\n"
        try await client.send(head + "Authorization: Bearer ann\r\n\r\n")
        let interim = try await client.read(until: "\r\n\r\n")
        #expect(interim.hasPrefix("HTTP/1.1 100 "))
        try await client.send(body)
        #expect(try await client.responses(1)[0].text.contains("applied"))
        // One who may not is told so before the body.
        let stranger = try await served.connect()
        try await stranger.send(head + "\r\n")
        #expect(try await stranger.rest().hasPrefix("HTTP/1.1 401 "))
    }

    @Test func connectionsEndAsTheirMessagesSay() async throws {
        let served = try await ServedStore()
        for (line, fields, ends) in [
            ("HTTP/1.1", "", false), ("HTTP/1.1", "Connection: close\r\n", true),
            ("HTTP/1.0", "", true), ("HTTP/1.0", "Connection: keep-alive\r\n", false),
        ] {
            let client = try await served.connect()
            try await client.send("GET /health \(line)\r\nHost: h\r\n\(fields)\r\n")
            let first = try await client.responses(1)[0]
            #expect((first.head.headers["Connection"] == "close") == ends)
            if ends {
                #expect(try await client.rest() == "")
            } else {
                try await client.send("GET /health \(line)\r\nHost: h\r\n\(fields)\r\n")
                #expect(try await client.responses(1)[0].status == 200)
            }
        }
    }

    @Test(arguments: [
        ("GET /\(String(repeating: "a", count: 20_000)) HTTP/1.1\r\nHost: h\r\n\r\n", 414),
        ("GET / HTTP/1.1\r\nHost: h\r\nA: \(String(repeating: "a", count: 20_000))\r\n\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: h\r\n\(String(repeating: "A: b\r\n", count: 200))\r\n", 431),
        ("POST /sync/push HTTP/1.1\r\nHost: h\r\nContent-Length: 9000000\r\n\r\n", 413),
        ("GET / HTTP/2.0\r\nHost: h\r\n\r\n", 505), ("GET / HTTP/1.1\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
        ("GET / HTTP/1.1\r\nHost: h\r\nExpect: wonders\r\n\r\n", 417), ("\r\n\r\n\r\n", 400),
        ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\u{FC}\u{3}\u{3}\r\n\r\n", 400),
    ])
    func whatIsTooMuchOrNoHTTPIsRefused(text: String, status: Int) async throws {
        let served = try await ServedStore()
        let client = try await served.connect()
        try await client.send(text)
        client.stream.finishSending()
        #expect(try await client.rest().hasPrefix("HTTP/1.1 \(status) "))
        #expect(try await served.get("/health").status == 200)
    }

    @Test func aBodyThatIsTooLargeIsRefusedAtItsFirstByteTooMuch() async throws {
        let served = try await ServedStore()
        let client = try await served.connect()
        try await client.send(
            "POST /sync/push HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ann\r\n"
                + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        let chunk = "100000\r\n" + String(repeating: " ", count: 1 << 20) + "\r\n"
        for _ in 0..<3 { try? await client.send(chunk) }
        #expect(try await client.rest().hasPrefix("HTTP/1.1 413 "))
    }

    @Test func slowClientsAreNotWaitedForForEver() async throws {
        let idle = try await ServedStore { $0.idleTimeout = .milliseconds(10) }
        #expect(try await idle.connect().rest() == "")
        let headed = try await ServedStore { $0.headTimeout = .milliseconds(10) }
        let slowHead = try await headed.connect()
        try await slowHead.send("GET /health HTTP/1.1\r\n")
        #expect(try await slowHead.rest().hasPrefix("HTTP/1.1 408 "))
        let bodied = try await ServedStore { $0.bodyTimeout = .milliseconds(10) }
        let slowBody = try await bodied.connect()
        try await slowBody.send(
            "POST /sync/push HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ann\r\n"
                + "Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{"
        )
        #expect(try await slowBody.rest().hasPrefix("HTTP/1.1 408 "))
    }

    @Test func oneConnectionTooManyIsToldSo() async throws {
        let served = try await ServedStore { $0.maximumConnections = 2 }
        let first = try await served.connect()
        try await first.send("GET /health HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try await first.responses(1)
        let second = try await served.connect()
        try await second.send("GET /health HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try await second.responses(1)
        let third = try await served.connect()
        let answer = try await third.rest()
        #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("Retry-After: 1\r\n"))
        second.stream.finishSending()
        #expect(try await second.rest() == "")
        // The place is free as soon as the server has seen the end.
        var status = 503
        while status == 503 { status = try await served.get("/health").status }
        #expect(status == 200)
    }
}
