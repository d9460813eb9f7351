import HoldfastNetwork
import Testing

/// Base URLs of servers.
@Suite struct ServerURLTests {
    @Test(arguments: [
        ("http://host", false, "host", 80, "/"), ("https://host", true, "host", 443, "/"),
        ("HTTP://host:8080", false, "host", 8_080, "/"),
        ("http://127.0.0.1:1/a/b", false, "127.0.0.1", 1, "/a/b/"),
        ("http://[::1]:80/a/", false, "::1", 80, "/a/"), ("http://[::1]", false, "::1", 80, "/"),
    ])
    func aBaseURLIsReadWhole(
        text: String,
        isSecure: Bool,
        host: String,
        port: Int,
        path: String
    ) throws {
        let url = try ServerURL(text)
        #expect(url.isSecure == isSecure && url.host == host)
        #expect(url.port == port && url.path == path)
    }

    @Test(arguments: [
        "", "host", "ftp://host", "http:/host", "http://", "http://:80", "http://h:", "http://h:0",
        "http://h:65536", "http://h:x", "http://h/?a", "http://h/#a", "http://u@h", "http://h /",
        "http://h\r\n", "http://[::1", "http://[]", "http://[::1]x", "http://ä",
    ])
    func whatIsNoBaseURLIsRefusedWithAReason(text: String) {
        #expect(throws: ServerURL.Problem.self) { try ServerURL(text) }
    }
}
