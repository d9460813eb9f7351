import HoldfastNetwork
import HoldfastTesting
import Testing

/// Responses as bytes.
@Suite struct HTTPResponseReaderTests {
    private static let samples = [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
        "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\n"
            + "HTTP/1.1 404\r\nContent-Length: 2\r\n\r\nno",
    ]

    @Test(arguments: samples)
    func howTheBytesAreCutChangesNothing(sample: String) {
        let bytes = Array(sample.utf8)
        let whole = ReadResponses([bytes])
        #expect(whole.fault == nil && !whole.responses.isEmpty && !whole.isInsideOne)
        #expect(ReadResponses(bytes.single) == whole)
        for place in 0..<bytes.count {
            #expect(ReadResponses([Array(bytes[..<place]), Array(bytes[place...])]) == whole)
        }
    }

    @Test func interimResponsesArePassedOver() {
        let read = ReadResponses(Self.samples[3])
        #expect(read.responses.map(\.head.status) == [404])
        #expect(read.responses.first?.body == Array("no".utf8))
    }

    @Test func aBodyWithoutALengthEndsWithTheConnection() {
        let text = "HTTP/1.1 200 OK\r\n\r\nall of it"
        #expect(ReadResponses(text).responses.first?.body == Array("all of it".utf8))
        #expect(!ReadResponses(text).isInsideOne)
        #expect(ReadResponses(text, ends: false).isInsideOne)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", "HTTP/1.1 2",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n",
        "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 100 Continue\r\n\r\nH",
    ])
    func aResponseThatIsCutOffIsNone(text: String) {
        let read = ReadResponses(text)
        #expect(read.fault != nil)
        #expect(read.responses.isEmpty || read.isInsideOne)
    }

    @Test(arguments: [
        "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 600 X\r\n\r\n",
        "HTTP/1.1 099 X\r\n\r\n", "HTTP/3.0 200 OK\r\n\r\n", "ICY 200 OK\r\n\r\n",
        "<html>\r\n", "HTTP/1.1  200 OK\r\n\r\n", "HTTP/1.1 +20 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 200 O\u{0}K\r\n\r\n",
    ])
    func whatIsNoResponseIsRefused(text: String) {
        #expect(ReadResponses(text).fault != nil)
    }

    @Test func aResponseToHEADHasNoBody() {
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"
        let read = ReadResponses(text, method: "HEAD")
        #expect(read.responses.count == 2 && read.fault == nil && !read.isInsideOne)
    }

    @Test func noFieldCanBecomeALineOfItsOwn() throws {
        let evil = "x\r\nSet-Cookie: a"
        var response = HTTPResponseHead(status: 200, headers: ["A": evil, "B\r\nC": "d", "E": "f"])
        response.headers.add("Content-Length", "0")
        let read = ReadResponses([response.encoded()])
        #expect(read.responses.first?.head.headers.fields.map(\.name) == ["E", "Content-Length"])
        for head in [
            HTTPRequestHead(method: "GET", target: "/", headers: ["A": evil]),
            HTTPRequestHead(method: "GET", target: "/ HTTP/1.1\r\nX: y"),
            HTTPRequestHead(method: "GET\r\n", target: "/"),
            HTTPRequestHead(method: "GET", target: "/", headers: ["A\n": "b"]),
        ] {
            #expect(throws: HTTPFault.self) { try head.encoded() }
        }
    }

    @Test(arguments: [1, 2] as [UInt64])
    func noBytesTrapTheReader(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<5_000 {
            var bytes = Array((Self.samples.randomElement(using: &random) ?? "").utf8)
            for _ in 0...Int.random(in: 0..<5, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                if Bool.random(using: &random) {
                    bytes[place] = UInt8.random(in: 0...255, using: &random)
                } else {
                    bytes.remove(at: place)
                }
            }
            #expect(ReadResponses(bytes.single) == ReadResponses([bytes]), "seed \(seed)")
        }
    }
}
