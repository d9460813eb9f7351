/// Derives the keys of a words index from documents: one for each word of the fields' texts.
struct WordExtractor: Sendable {
    private let fields: [String]

    init(fields: [String]) { self.fields = fields }

    /// Calls `emit` with the key of each word, once; a damaged document has none.
    ///
    /// - Complexity: O(n) in the length of the texts.
    func extract(from document: RawSpan, _ emit: (RawSpan) -> Void) {
        var keys = DistinctBytes()
        do throws(DocumentError) {
            for field in fields {
                try Document.forEachText(of: field, in: document) { text in
                    Words.forEach(in: text) { word in
                        keys.append(WordKey.bytes(of: word))
                        return true
                    }
                }
            }
        } catch {
            return
        }
        keys.forEach(ascending: true) { key in
            emit(key)
            return true
        }
    }
}

/// The keys of words in an index: the key of a text, which ``IndexKey`` describes.
enum WordKey {
    /// No byte of a word is escaped, and none is cut off: it has no control characters and is
    /// short.
    static func bytes(of word: [UInt8]) -> [UInt8] { prefix(of: word) + [0] }

    /// What the keys of all words with a beginning begin with.
    static func prefix(of word: [UInt8]) -> [UInt8] { [textTag] + word }

    private static let textTag: UInt8 = 6
}
