import HoldfastStorage

/// A search for the words of a text in some fields.
package struct WordSearch: Sendable {
    /// A word that has to be there.
    struct Term: Sendable {
        let bytes: [UInt8]
        /// Whether it may be the beginning of a longer word.
        let isPrefix: Bool

        func matches(_ word: [UInt8]) -> Bool {
            isPrefix ? word.starts(with: bytes) : word == bytes
        }
    }

    /// The text as it was given.
    package let text: String
    /// The fields, in the order in which they were given.
    package let fields: [String]
    /// What has to be there, each once.
    let terms: [Term]

    init(_ text: String, in fields: [String]) {
        self.text = text
        self.fields = fields
        terms = text.withByteView { text in
            var terms: [Term] = []
            var scanner = WordScanner(text)
            while scanner.next() {
                terms.append(Term(bytes: scanner.bytes, isPrefix: scanner.isAtEnd))
            }
            return Self.reduced(terms)
        }
    }

    /// Without terms that others imply.
    private static func reduced(_ terms: [Term]) -> [Term] {
        var seen: Set<[UInt8]> = []
        let whole = terms.filter { !$0.isPrefix && seen.insert($0.bytes).inserted }
        let beginnings = terms.filter { term in
            term.isPrefix && !whole.contains { term.matches($0.bytes) }
        }
        return whole + beginnings
    }

    /// Refuses a search that cannot mean anything.
    func check() throws {
        if fields.isEmpty {
            throw StoreError(.invalidQuery, "A search names the fields to search in.")
        }
    }

    /// Whether an index holds the words of these fields, and maybe of others.
    func isServed(by index: Index) -> Bool {
        index.kind == .words
            && Set(index.fields.map(FieldName.init)).isSuperset(of: fields.map(FieldName.init))
    }

    /// Whether an index that holds the words of these fields has those of others too.
    func isExceeded(by index: Index) -> Bool {
        index.fields.count > Set(fields.map(FieldName.init)).count
    }
}

extension WordSearch {
    /// Whether a record's fields have every word.
    func matches(_ object: JSONObject) -> Bool {
        var missing = MissingTerms(terms)
        for field in fields {
            if missing.isEmpty { break }
            guard let value = object[field] else { continue }
            value.forEachText { missing.find(in: $0) }
        }
        return missing.isEmpty
    }

    /// Whether the fields of a packed record have every word.
    func matches(_ document: RawSpan) throws(DocumentError) -> Bool {
        var missing = MissingTerms(terms)
        for field in fields {
            if missing.isEmpty { break }
            try Document.forEachText(of: field, in: document) { missing.find(in: $0) }
        }
        return missing.isEmpty
    }
}

extension WordSearch: CustomStringConvertible {
    /// The search in words.
    package var description: String {
        let words = terms.map(\.text).joined(separator: " ")
        return "\(fields.joined(separator: ", ")) search \(words.isEmpty ? "no word" : words)"
    }
}

extension WordSearch.Term {
    /// The word, with dots behind one that may go on.
    var text: String { String(decoding: bytes, as: UTF8.self) + (isPrefix ? "..." : "") }
}
