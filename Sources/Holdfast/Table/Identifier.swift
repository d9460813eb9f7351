/// The rules that names and ids share.
enum Identifier {
    /// What is wrong with a name, as the end of a sentence that begins with the name's kind.
    static func problem(with text: String, maximumBytes: Int) -> String? {
        let bytes = text.utf8
        if bytes.isEmpty { return "must not be empty" }
        if bytes.count > maximumBytes {
            return "is at most \(maximumBytes) bytes long; this one has \(bytes.count)"
        }
        if hasControlCharacter(text) { return "must not have control characters" }
        return nil
    }

    /// Whether there is one of U+0000 to U+001F, U+007F or U+0080 to U+009F.
    static func hasControlCharacter(_ text: String) -> Bool {
        var previous: UInt8 = 0
        for byte in text.utf8 {
            if byte < 0x20 || byte == 0x7F { return true }
            if previous == 0xC2, byte < 0xA0 { return true }
            previous = byte
        }
        return false
    }
}
