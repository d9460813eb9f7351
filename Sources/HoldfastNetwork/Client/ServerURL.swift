/// Where a server of sync is: `http://host:port/path/`, without what a base URL has no use for.
package struct ServerURL: Hashable, Sendable {
    /// Whether it asks for TLS.
    package let isSecure: Bool
    /// The host's name or address, without brackets.
    package let host: String
    package let port: Int
    /// The path, which begins and ends with a slash.
    package let path: String

    /// Reads a URL.
    ///
    /// - Throws: ``Problem``, whose text says what is wrong with it.
    package init(_ text: String) throws(Problem) {
        let rest: Substring
        if let found = Self.rest(text, behind: "https://") {
            (isSecure, rest) = (true, found)
        } else if let found = Self.rest(text, behind: "http://") {
            (isSecure, rest) = (false, found)
        } else {
            throw Problem("has to begin with http:// or https://")
        }
        guard rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw Problem("has characters that a URL cannot have")
        }
        guard !rest.contains(where: { $0 == "?" || $0 == "#" || $0 == "@" }) else {
            throw Problem("has to be a base URL, without a user, a query and a fragment")
        }
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        (host, port) = try Self.authority(rest[..<slash], isSecure: isSecure)
        let path = String(rest[slash...])
        self.path = path.hasSuffix("/") ? path : path + "/"
    }

    private static func rest(_ text: String, behind scheme: String) -> Substring? {
        guard text.prefix(scheme.count).isSameToken(as: scheme) else { return nil }
        return text.dropFirst(scheme.count)
    }

    /// The host and the port of `name`, `name:port` or `[address]:port`.
    private static func authority(
        _ text: Substring,
        isSecure: Bool
    ) throws(Problem) -> (String, Int) {
        var (host, port) = (text, Substring())
        if text.first == "[", let end = text.firstIndex(of: "]") {
            host = text[text.index(after: text.startIndex)..<end]
            port = text[text.index(after: end)...]
        } else if let colon = text.firstIndex(of: ":") {
            (host, port) = (text[..<colon], text[colon...])
        }
        guard !host.isEmpty else { throw Problem("names no host") }
        if port.isEmpty { return (String(host), isSecure ? 443 : 80) }
        guard port.first == ":", let number = UInt16(port.dropFirst()), number > 0 else {
            throw Problem("has a port that is none")
        }
        return (String(host), Int(number))
    }
}

extension ServerURL {
    /// What is wrong with a URL.
    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String

        init(_ description: String) { self.description = description }
    }
}
