package import HoldfastSync

/// The target of a request: a path, and the parameters behind it.
package struct HTTPTarget: Hashable, Sendable {
    /// The path, not escaped: `/sync/changes`.
    package var path: String
    /// The parameters, not escaped.
    package var query: [QueryItem]

    package init(path: String, query: [QueryItem] = []) {
        self.path = path
        self.query = query
    }

    /// Reads a target: `/path?name=value&...`, or the same behind `http://host`.
    ///
    /// In the parameters `+` is a space, as forms write one.
    ///
    /// - Throws: ``HTTPFault`` 400 for what is no target, and for a path that two servers could take
    ///   for two: with an escaped slash, or with `.` and `..`.
    package init(_ text: String) throws(HTTPFault) {
        var rest = Substring(text)
        // A server understands the absolute form too (RFC 9112, 3.2.2).
        for scheme in ["http://", "https://"]
        where rest.prefix(scheme.count).isSameToken(as: scheme) {
            rest = rest.dropFirst(scheme.count).drop { $0 != "/" }
        }
        guard rest.first == "/", !rest.contains("#") else {
            throw .malformed("The target has no path.")
        }
        let end = rest.firstIndex(of: "?") ?? rest.endIndex
        var segments: [String] = []
        for segment in rest[..<end].dropFirst().split(
            separator: "/",
            omittingEmptySubsequences: false
        ) {
            let text = try Self.unescaped(segment, plusIsSpace: false)
            guard text != ".", text != "..", !text.contains("/") else {
                throw .malformed("The path is not a plain one.")
            }
            segments.append(text)
        }
        path = "/" + segments.joined(separator: "/")
        query = []
        for item in rest[end...].dropFirst().split(separator: "&") {
            let equals = item.firstIndex(of: "=") ?? item.endIndex
            query.append(
                QueryItem(
                    try Self.unescaped(item[..<equals], plusIsSpace: true),
                    try Self.unescaped(item[equals...].dropFirst(), plusIsSpace: true)
                )
            )
        }
    }

    /// The target as a request line has it.
    package var encoded: String {
        let path = path.split(separator: "/", omittingEmptySubsequences: false)
            .map { Self.escaped($0) }.joined(separator: "/")
        if query.isEmpty { return path }
        let items = query.map { "\(Self.escaped($0.name))=\(Self.escaped($0.value))" }
        return path + "?" + items.joined(separator: "&")
    }

    /// A target as a request line has it, with parts of the path that may have slashes of their own.
    package static func encoded(
        below path: String,
        _ parts: [String],
        query: [QueryItem]
    ) -> String {
        let base = HTTPTarget(path: path, query: query).encoded
        let end = base.firstIndex(of: "?") ?? base.endIndex
        return base[..<end] + parts.map { escaped($0) }.joined(separator: "/") + base[end...]
    }

    /// The text with everything escaped that is not unreserved (RFC 3986, 2.3).
    private static func escaped(_ text: some StringProtocol) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~".utf8.contains(byte)
        }
    }

    private static func unescaped(
        _ text: Substring,
        plusIsSpace: Bool
    ) throws(HTTPFault) -> String {
        var bytes: [UInt8] = []
        var iterator = text.utf8.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = iterator.next()?.hexadecimalDigit,
                    let low = iterator.next()?.hexadecimalDigit
                else { throw .malformed("The target has an escape that is none.") }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(HTTPByte.space)
            default: bytes.append(byte)
            }
        }
        guard let result = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw .malformed("The target is not text in UTF-8.")
        }
        return result
    }
}
