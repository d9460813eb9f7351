/// The terms of a search that were not found so far.
struct MissingTerms {
    /// Above this many terms a hash table is faster than comparing with each.
    private static let linearLimit = 16

    private var terms: [WordSearch.Term]
    private var words: Set<[UInt8]> = []

    init(_ terms: [WordSearch.Term]) {
        guard terms.count > Self.linearLimit else {
            self.terms = terms
            return
        }
        self.terms = terms.filter(\.isPrefix)
        words = Set(terms.filter { !$0.isPrefix }.map(\.bytes))
    }

    var isEmpty: Bool { terms.isEmpty && words.isEmpty }

    /// Takes out the terms that a text has, and says whether any is left.
    mutating func find(in text: ByteView) -> Bool {
        Words.forEach(in: text) { word in
            if !words.isEmpty { words.remove(word) }
            terms.removeAll { $0.matches(word) }
            return !isEmpty
        }
    }
}
