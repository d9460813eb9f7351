/// How the end of a body is found (RFC 9112, 6.3).
enum BodyFraming: Hashable, Sendable {
    /// There is none.
    case none
    /// It has this many bytes.
    case length(Int)
    /// It comes in chunks.
    case chunked
    /// It ends with the connection.
    case untilEnd

    /// What the fields of a message say; `nil` where they say nothing.
    ///
    /// Whatever two readers could understand in two ways is refused: a request that one of them
    /// takes for another one's body is how requests are smuggled past a proxy.
    init?(_ headers: HTTPHeaders, minorVersion: Int) throws(HTTPFault) {
        let codings = headers.values(of: "Transfer-Encoding")
        let lengths = headers.values(of: "Content-Length")
        guard codings.isEmpty else {
            guard lengths.isEmpty else {
                throw .malformed("A message has a length and comes in chunks.")
            }
            guard minorVersion == 1 else {
                throw .malformed("A message of HTTP/1.0 does not come in chunks.")
            }
            guard codings.count == 1, codings[0].isSameToken(as: "chunked") else {
                throw HTTPFault(status: 501, detail: "Chunked is the only transfer coding.")
            }
            self = .chunked
            return
        }
        guard let text = lengths.first else { return nil }
        guard lengths.count == 1 else { throw .malformed("A message has several lengths.") }
        let digits = text.utf8
        guard !digits.isEmpty,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { throw .malformed("A message's length is no number.") }
        guard let length = Int(text) else {
            throw HTTPFault(status: 413, detail: "The body is too large.")
        }
        self = length == 0 ? .none : .length(length)
    }
}
