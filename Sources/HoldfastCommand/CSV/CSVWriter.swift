/// Writes rows of CSV as RFC 4180 has it, with LF line ends.
package enum CSVWriter {
    /// Adds one row; `nil` is an absent field and leaves its place empty.
    ///
    /// An empty text is written as two quotes, which tells it from an absent one.
    package static func append(_ fields: [String?], to output: inout [UInt8]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            if let field { append(field, to: &output) }
        }
        output.append(UInt8(ascii: "\n"))
    }

    private static func append(_ text: String, to output: inout [UInt8]) {
        let quote = UInt8(ascii: "\"")
        guard needsQuotes(text) else {
            output.append(contentsOf: text.utf8)
            return
        }
        output.append(quote)
        for byte in text.utf8 {
            if byte == quote { output.append(quote) }
            output.append(byte)
        }
        output.append(quote)
    }

    private static func needsQuotes(_ text: String) -> Bool {
        // A reader that trims fields would change a text with a space at an end.
        if text.isEmpty || text.hasPrefix(" ") || text.hasSuffix(" ") { return true }
        return text.utf8.contains { byte in
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                true
            default: false
            }
        }
    }
}
