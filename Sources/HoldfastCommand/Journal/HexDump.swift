/// Bytes in hexadecimal, for people.
package enum HexDump {
    private static let alphabet = Array("0123456789abcdef")

    /// All bytes as digits, two each.
    package static func digits(_ bytes: some Sequence<UInt8>) -> String {
        var text = ""
        for byte in bytes {
            text.append(alphabet[Int(byte >> 4)])
            text.append(alphabet[Int(byte & 15)])
        }
        return text
    }

    /// Lines of an offset, sixteen bytes, and what of them is printable ASCII.
    package static func lines(_ bytes: [UInt8]) -> [String] {
        stride(from: 0, to: bytes.count, by: 16).map { start in
            let part = bytes[start..<min(start + 16, bytes.count)]
            let offset = digits([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: start >> $0) })
            let pairs = part.map { digits([$0]) }.joined(separator: " ")
            let padding = String(repeating: " ", count: 3 * (16 - part.count))
            let shown = part.map { (0x20..<0x7F).contains($0) ? Character(UnicodeScalar($0)) : "." }
            return "\(offset)  \(pairs)\(padding)  \(String(shown))"
        }
    }
}
