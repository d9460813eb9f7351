import HoldfastNetwork
import HoldfastSync
import HoldfastTesting
import Testing

/// Targets, tokens, and times.
@Suite struct HTTPTargetTests {
    @Test func aTargetIsReadAsItIsMeant() throws {
        let target = try HTTPTarget("/sync/changes?client=a%20b&scope=a+b&id=1%2B1&id=%C3%A4&x&=y")
        #expect(target.path == "/sync/changes")
        let items = target.query.map { [$0.name, $0.value] }
        #expect(
            items == [
                ["client", "a b"], ["scope", "a b"], ["id", "1+1"], ["id", "ä"], ["x", ""],
                ["", "y"],
            ]
        )
        #expect(try HTTPTarget("http://host:80/a/b?c=d").path == "/a/b")
        #expect(try HTTPTarget("/a+b/%41").path == "/a+b/A")
    }

    @Test(arguments: [
        "", "a", "*", "?a=b", "http://host", "//../a", "/a/../b", "/a/./b", "/%2e%2e/a", "/a%2Fb",
        "/%", "/%4", "/%4g", "/%zz", "/%00", "/a?b=%00", "/a?b=%FF", "/%C3", "/a#b", "/a?b#c",
        "/a?b=%ED%A0%80",
    ])
    func whatCouldBeTwoTargetsIsNone(text: String) {
        #expect(throws: HTTPFault.self) { try HTTPTarget(text) }
    }

    @Test func everyTextComesBack() throws {
        var random = SplitMix64(seed: 3)
        for _ in 0..<500 {
            func text() -> String {
                let count = Int.random(in: 0..<12, using: &random)
                let scalars = (0..<count).compactMap { _ in
                    Unicode.Scalar(UInt32.random(in: 1..<0x2_FFFF, using: &random))
                }
                return String(String.UnicodeScalarView(scalars))
            }
            let target = HTTPTarget(path: "/p/q", query: [QueryItem(text(), text())])
            #expect(try HTTPTarget(target.encoded) == target)
        }
    }

    @Test(
        arguments: [
            ("Bearer abc", "abc"), ("bearer abc", "abc"), ("BEARER  abc", "abc"),
            ("Basic abc", nil),
            ("Bearer", nil), ("Bearer ", nil), ("abc", nil), ("Bearerabc", nil), ("", nil),
        ] as [(String, String?)]
    )
    func aTokenIsBehindItsScheme(value: String, token: String?) {
        #expect(HTTPHeaders([.init("authorization", value)]).bearerToken == token)
        let twice: HTTPHeaders = ["Authorization": value, "AUTHORIZATION": value]
        #expect(twice.bearerToken == nil)
    }

    @Test func comparisonsSeeEveryDifference() {
        let secret = Array("secret".utf8)
        #expect(ConstantTime.equals(secret, secret) && ConstantTime.equals([], []))
        for place in secret.indices {
            var other = secret
            other[place] ^= 1
            #expect(!ConstantTime.equals(secret, other))
            #expect(!ConstantTime.equals(secret, Array(secret[..<place])))
        }
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200),
            ("Wednesday, 01-Jan-75 00:00:00 GMT", 3_313_526_400),
            ("Wednesday, 01-Jan-79 00:00:00 GMT", 283_996_800),
            ("Sun, 06 Nov 1994 08:49:37", nil), ("Sun, 31 Apr 1994 08:49:37 GMT", nil),
            ("Sun, 29 Feb 2023 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 24:00:00 GMT", nil),
            ("Sun, 06 nov 1994 08:49:37 GMT", nil), ("Sun, 00 Nov 1994 08:49:37 GMT", nil),
            ("Sun, 06 Nov 1994 8:49:37 GMT", nil), ("yesterday", nil), ("", nil),
            ("Sun, 06 Nov 1994 08:49:-1 GMT", nil), ("Sun, +6 Nov 1994 08:49:37 GMT", nil),
        ] as [(String, Int64?)]
    )
    func aTimeIsReadInItsThreeForms(text: String, seconds: Int64?) {
        #expect(HTTPDate.seconds(text, now: 1_764_500_000) == seconds)
    }

    @Test func everyTimeThatIsWrittenIsRead() {
        var random = SplitMix64(seed: 4)
        for _ in 0..<2_000 {
            let time = Int64.random(in: -62_135_596_800...253_402_300_799, using: &random)
            #expect(HTTPDate.seconds(HTTPDate.text(time), now: 0) == time)
        }
        #expect(HTTPDate.text(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.text(.max).hasSuffix("9999 23:59:59 GMT"))
    }

    @Test(
        arguments: [
            ("120", nil, 120), ("0", nil, 0), ("99999999999999999999", nil, 31_536_000),
            ("", nil, nil), ("-1", nil, nil), ("1.5", nil, nil), ("soon", nil, nil),
            ("Sun, 06 Nov 1994 08:50:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", 60),
            ("Sun, 06 Nov 1994 08:48:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", 0),
            ("Sun, 06 Nov 1994 08:50:37 GMT", nil, 40),
            ("Sun, 06 Nov 2094 08:50:37 GMT", nil, 31_536_000),
        ] as [(String, String?, Int64?)]
    )
    func aDelayIsCountedByTheServersOwnClock(text: String, date: String?, delay: Int64?) {
        var headers: HTTPHeaders = ["Retry-After": text]
        if let date { headers.add("Date", date) }
        let expected = delay.map { Duration.seconds($0) }
        #expect(RetryAfter.delay(headers, now: 784_111_797) == expected)
    }

    @Test func eventsComeBackHoweverTheyAreCut() throws {
        let events = [
            ServerEvent(name: "poke", data: "{}"), ServerEvent(data: "two\nlines"),
            ServerEvent(name: "x", data: ""),
        ]
        let bytes = events.flatMap { $0.encoded() }
        for size in 1...bytes.count {
            var reader = ServerEventReader()
            var read: [ServerEvent] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                read += try reader.read(Array(bytes[start..<min(bytes.count, start + size)]))
            }
            #expect(read == events)
        }
        var reader = ServerEventReader()
        let odd = "\u{FEFF}: hello\rdata:a\r\n\r\ndata: b\rdata\r\rid: 1\nevent: n\n\ndata: c"
        let read = try reader.read(Array(odd.utf8))
        #expect(read == [ServerEvent(data: "a"), ServerEvent(data: "b\n")])
        var small = ServerEventReader(limit: 10)
        #expect(throws: HTTPFault.self) { try small.read(Array("data: 12345678".utf8)) }
    }
}
