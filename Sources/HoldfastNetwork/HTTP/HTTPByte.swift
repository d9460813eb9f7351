/// The bytes that HTTP/1 gives a meaning.
enum HTTPByte {
    static let cr = UInt8(ascii: "\r")
    static let lf = UInt8(ascii: "\n")
    static let space = UInt8(ascii: " ")
    static let tab = UInt8(ascii: "\t")
    static let colon = UInt8(ascii: ":")

    /// Whether a byte can stand in a token (RFC 9110, 5.6.2).
    static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// Whether a byte can stand in a field's value (RFC 9110, 5.5): visible ones, spaces, tabs, and
    /// what is behind ASCII.
    static func isValue(_ byte: UInt8) -> Bool {
        byte == tab || (byte >= space && byte != 0x7F)
    }
}

extension BidirectionalCollection<UInt8> {
    /// The bytes without spaces and tabs at both ends.
    func trimmingBlanks() -> SubSequence {
        func isBlank(_ byte: UInt8) -> Bool { byte == HTTPByte.space || byte == HTTPByte.tab }
        guard let last = lastIndex(where: { !isBlank($0) }) else { return self[endIndex...] }
        return self[...last].drop(while: isBlank)
    }
}
