/// The versions of HTTP/1.
enum HTTPVersion {
    /// The minor version that `HTTP/1.1` names.
    static func minor(_ word: ArraySlice<UInt8>) throws(HTTPFault) -> Int {
        if word.elementsEqual("HTTP/1.1".utf8) { return 1 }
        if word.elementsEqual("HTTP/1.0".utf8) { return 0 }
        guard word.starts(with: "HTTP/".utf8), word.count == 8 else {
            throw .malformed("The first line has no version of HTTP.")
        }
        throw HTTPFault(status: 505, detail: "The version of HTTP is not known.")
    }
}

extension HTTPHeaders {
    /// Whether a connection goes on behind a message (RFC 9112, 9.3).
    func keepsAlive(minorVersion: Int) -> Bool {
        let options = values(of: "Connection").flatMap { $0.split(separator: ",") }
            .map { $0.utf8.trimmingBlanks() }
        func has(_ word: String) -> Bool {
            options.contains { String(Substring($0)).isSameToken(as: word) }
        }
        if has("close") { return false }
        return minorVersion == 1 || has("keep-alive")
    }
}
