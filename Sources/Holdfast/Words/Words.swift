/// The words that a record's text has for search.
package enum Words {
    /// Calls `body` with each word of a text, some more than once, until it returns `false`.
    ///
    /// A word with apostrophes is there whole, without them, and part by part: `l'eau` is found by
    /// `l'eau`, `leau` and `eau`.
    static func forEach(in text: ByteView, _ body: ([UInt8]) -> Bool) -> Bool {
        var scanner = WordScanner(text)
        while scanner.next() {
            guard body(scanner.bytes), scanner.parts.allSatisfy(body) else { return false }
        }
        return true
    }

    /// The words of a text, each once, in the order of their bytes.
    package static func words(of text: String) -> [String] {
        var words: Set<[UInt8]> = []
        _ = text.withByteView { text in
            forEach(in: text) { word in
                words.insert(word)
                return true
            }
        }
        return words.sorted { $0.lexicographicallyPrecedes($1) }
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
