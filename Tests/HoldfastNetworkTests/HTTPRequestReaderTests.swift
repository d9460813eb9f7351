import HoldfastNetwork
import HoldfastTesting
import Testing

/// Requests as bytes: what is read, and what is refused.
@Suite struct HTTPRequestReaderTests {
    private static let samples = [
        "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /a?b=c%20d HTTP/1.0\r\n\r\n",
        "POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello",
        "POST /p HTTP/1.1\r\nhost:h\r\ncontent-length:0\r\n\r\n",
        "POST /p HTTP/1.1\r\nHost:  h \t\r\nEmpty:\r\nTransfer-Encoding: Chunked\r\n\r\n"
            + "5\r\nhello\r\n00A;x=\"y\"\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n",
        "\r\nPUT /x HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"
            + "\r\nGET /y HTTP/1.1\r\nHost: h\r\n\r\nGET /z HTTP/1.1\r\nHost: h\r\n\r\n",
    ]

    @Test func aRequestIsReadToItsLastByte() {
        let read = ReadRequests(Self.samples[4])
        #expect(read.fault == nil && !read.isInsideOne && read.requests.count == 1)
        let request = read.requests.first
        #expect(request?.head.method == "POST" && request?.head.target == "/p")
        #expect(request?.head.headers["HOST"] == "h")
        #expect(request?.head.headers["empty"] == "")
        #expect(request?.body == Array("hello0123456789".utf8))
        let three = ReadRequests(Self.samples[5])
        #expect(three.requests.map(\.head.target) == ["/x", "/y", "/z"])
        #expect(three.requests.map(\.body.count) == [3, 0, 0])
    }

    @Test(arguments: samples)
    func howTheBytesAreCutChangesNothing(sample: String) {
        let bytes = Array(sample.utf8)
        let whole = ReadRequests([bytes])
        #expect(whole.fault == nil && !whole.requests.isEmpty && !whole.isInsideOne)
        #expect(ReadRequests(bytes.single) == whole)
        for place in 0...bytes.count {
            #expect(ReadRequests([Array(bytes[..<place]), Array(bytes[place...])]) == whole)
            let cut = ReadRequests([Array(bytes[..<place])])
            #expect(cut.fault == nil)
            #expect(place == bytes.count || cut != whole || place == 0, "cut at \(place)")
        }
    }

    @Test(arguments: [
        ("Content-Length: 5\r\nTransfer-Encoding: chunked", 400),
        ("Transfer-Encoding: chunked\r\nContent-Length: 5", 400),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", 501),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", 501),
        ("Transfer-Encoding: chunked, identity", 501), ("Transfer-Encoding: identity", 501),
        ("Transfer-Encoding: gzip, chunked", 501), ("Transfer-Encoding: xchunked", 501),
        ("Transfer-Encoding: \u{0B}chunked", 400), ("Transfer-Encoding: chunked\u{0}", 400),
        ("Transfer-Encoding: \"chunked\"", 501), ("Transfer-Encoding:", 501),
        ("Transfer-Encoding : chunked", 400), ("Transfer-Encoding\t: chunked", 400),
        (" Transfer-Encoding: chunked", 400), ("\tTransfer-Encoding: chunked", 400),
        ("A: b\r\n Transfer-Encoding: chunked", 400), ("Transfer\u{0}Encoding: chunked", 400),
        ("Transfer-Encoding\r\n: chunked", 400), ("X: y\nTransfer-Encoding: chunked", 400),
        ("X: y\rTransfer-Encoding: chunked", 400), ("X: y\r\rTransfer-Encoding: chunked", 400),
        ("Content-Length: 5\r\nContent-Length: 5", 400), ("Content-Length: 5, 5", 400),
        ("Content-Length: 5\r\nContent-Length: 6", 400), ("Content-Length: +5", 400),
        ("Content-Length: -5", 400), ("Content-Length: 0x5", 400), ("Content-Length: 5 5", 400),
        ("Content-Length: 5.0", 400), ("Content-Length: ", 400), ("Content-Length: five", 400),
        ("Content-Length: ٥", 400), ("Content-Length: 99999999999999999999", 413),
        ("Content-Length: 1048577", 413), ("Host: other", 400), (": x", 400), ("x", 400),
        ("x y: z", 400), ("(x): y", 400), ("x: \u{7F}", 400), ("Expect: 200-ok", 417),
        ("Expect: 100-continue\r\nExpect: 100-continue", 417),
    ])
    func whatCouldBeReadInTwoWaysIsRefused(fields: String, status: Int) {
        let text = "POST / HTTP/1.1\r\nHost: h\r\n\(fields)\r\n\r\nhello"
        for read in [ReadRequests(text), ReadRequests(Array(text.utf8).single)] {
            #expect(read.fault?.status == status)
            #expect(read.requests.allSatisfy { $0.body.isEmpty })
        }
    }

    @Test(arguments: [
        ("GET  / HTTP/1.1", 400), ("GET / HTTP/1.1 ", 400), (" GET / HTTP/1.1", 400),
        ("GET /", 400), ("GET", 400), ("GET / /  HTTP/1.1", 400), ("G(T / HTTP/1.1", 400),
        ("GET\t/\tHTTP/1.1", 400), ("GET /a\u{0}b HTTP/1.1", 400), ("GET /ä HTTP/1.1", 400),
        ("GET / HTTP/1.2", 505), ("GET / HTTP/2.0", 505), ("GET / http/1.1", 400),
        ("GET / HTTP/11", 400), ("GET / HTTP/1.1x", 400),
        ("\(String(repeating: "G", count: 33)) / HTTP/1.1", 400),
    ])
    func aRequestLineIsThreeWordsOrNone(line: String, status: Int) {
        #expect(ReadRequests("\(line)\r\nHost: h\r\n\r\n").fault?.status == status)
    }

    @Test(arguments: [
        "5\r\nhello0\r\n\r\n", "5\r\nhell\r\n0\r\n\r\n", "g\r\n", "-1\r\n", "+5\r\nhello\r\n",
        "0x5\r\nhello\r\n", "\r\n", " 5\r\nhello\r\n", "5 \r\nhello\r\n", ";x\r\n",
        "5\nhello\n0\n\n", "1000000000000000\r\n", "5;\u{0}\r\nhello\r\n",
        "5\r\nhello\r\n0\r\nx\r\n\r\n",
    ])
    func chunksThatAreNoneAreRefused(body: String) {
        let read = ReadRequests(
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\(body)"
        )
        #expect(read.fault?.status == 400 && read.requests.count == 1)
    }

    @Test func whatIsTooLargeIsRefusedBeforeItIsTaken() {
        var limits = HTTPLimits()
        limits.bodyBytes = 10
        limits.headBytes = 200
        limits.targetBytes = 20
        limits.fields = 5
        func status(_ text: String) -> Int? {
            ReadRequests([Array(text.utf8)], limits: limits).fault?.status
        }
        let head = "POST / HTTP/1.1\r\nHost: h\r\n"
        #expect(status(head + "Content-Length: 10\r\n\r\n") == nil)
        #expect(status(head + "Content-Length: 11\r\n\r\n") == 413)
        let chunked = head + "Transfer-Encoding: chunked\r\n\r\n"
        #expect(status(chunked + "a\r\n0123456789\r\n0\r\n\r\n") == nil)
        #expect(status(chunked + "6\r\nabcdef\r\n5\r\n") == 413)
        #expect(status(chunked + "5;\(String(repeating: "x", count: 2_000))") == 400)
        let trailer = "T: \(String(repeating: "x", count: 2_000))\r\n\r\n"
        #expect(status(chunked + "0\r\n" + trailer) == 431)
        #expect(status("GET /\(String(repeating: "x", count: 19)) HTTP/1.1\r\n") == nil)
        #expect(status("GET /\(String(repeating: "x", count: 20)) HTTP/1.1\r\n") == 414)
        #expect(status("GET /\(String(repeating: "x", count: 500))") == 414)
        #expect(status(head + String(repeating: "A: b\r\n", count: 4)) == nil)
        #expect(status(head + String(repeating: "A: b\r\n", count: 5)) == 431)
        #expect(status(head + "A: \(String(repeating: "x", count: 300))") == 431)
    }

    @Test func whatComesBehindAFaultIsNeverRead() throws {
        var reader = HTTPRequestReader(limits: HTTPLimits())
        reader.append(Array("bad\r\n".utf8)[...])
        #expect(throws: HTTPFault.self) { try reader.next() }
        reader.append(Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8)[...])
        #expect(throws: HTTPFault.self) { try reader.next() }
    }

    @Test(arguments: [
        ("HTTP/1.1", "", true), ("HTTP/1.1", "Connection: close\r\n", false),
        ("HTTP/1.1", "Connection: x, CLOSE \r\n", false), ("HTTP/1.0", "", false),
        ("HTTP/1.0", "Connection: Keep-Alive\r\n", true),
        ("HTTP/1.1", "Connection: keep-alive\r\nConnection: close\r\n", false),
    ])
    func aConnectionGoesOnAsTheMessageSays(version: String, fields: String, goesOn: Bool) throws {
        var reader = HTTPRequestReader(limits: HTTPLimits())
        #expect(reader.isIdle)
        reader.append(Array("GET / \(version)\r\nHost: h\r\n\(fields)\r\n".utf8)[...])
        #expect(!reader.isIdle)
        while try reader.next() != nil {}
        #expect(reader.keepsAlive == goesOn && reader.isIdle && !reader.expectsContinue)
    }

    @Test func whatIsWrittenIsRead() throws {
        var random = SplitMix64(seed: 7)
        for _ in 0..<300 {
            var head = HTTPRequestHead(method: "POST", target: "/a?b=\(random.next())")
            head.headers.add("Host", "h")
            for index in 0..<Int.random(in: 0..<9, using: &random) {
                head.headers.add("X-\(index)", String(random.next(), radix: 36))
            }
            let body = (0..<Int.random(in: 0..<300, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            head.headers.add("Content-Length", "\(body.count)")
            let request = HTTPRequest(head, body: body)
            let bytes = try head.encoded() + body
            let cut = Int.random(in: 0...bytes.count, using: &random)
            let read = ReadRequests([Array(bytes[..<cut]), Array(bytes[cut...])])
            #expect(read.requests == [request] && read.fault == nil)
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func noBytesTrapTheReader(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<6_000 {
            var bytes = Array((Self.samples.randomElement(using: &random) ?? "").utf8)
            for _ in 0...Int.random(in: 0..<5, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2:
                    let inserted = Array("\r\n:; 0,\u{0}a".utf8).randomElement(using: &random)
                    bytes.insert(inserted ?? 0, at: place)
                default: bytes.removeSubrange(place..<min(bytes.count, place + 9))
                }
            }
            let whole = ReadRequests([bytes])
            #expect(ReadRequests(bytes.single) == whole, "seed \(seed)")
            let total = whole.requests.reduce(0) { $0 + $1.body.count }
            #expect(total <= bytes.count, "seed \(seed)")
        }
    }
}
