import HoldfastStorage

/// Keys of records: those of a table's own ranges, or those that the entries of an index name.
struct KeySource: Sendable {
    /// The index; `nil` for the table itself.
    let index: Index?
    let keys: KeyRanges
    /// The word of a words index whose entries these are.
    var term: WordSearch.Term?
    /// Words that the records have to have as well.
    var otherTerms: [WordSearch.Term] = []

    /// Whether its keys name each record once.
    var namesOnce: Bool { term?.isPrefix != true }

    /// The one index key whose entries these are: they name records in order, and each once.
    var onlyIndexKey: [UInt8]? {
        guard index != nil, keys.ranges.count == 1, let range = keys.ranges.first,
            range == .exactly(range.lower)
        else { return nil }
        return range.lower
    }
}

extension KeySource {
    /// The records that have a word.
    init(_ term: WordSearch.Term, in index: Index) {
        keys = KeyRanges([term.keys], isExact: false, fields: index.fields)
        self.index = index
        self.term = term
    }

    /// The records that have a search's word, and those of its other words that an index can tell.
    init(_ term: WordSearch.Term, of search: WordSearch, in index: Index, branch: FilterBranch) {
        otherTerms = search.terms.filter { !$0.isPrefix && $0.bytes != term.bytes }
        let told = otherTerms.count + 1
        let isExact =
            told == search.terms.count && branch.isCovered(fields: 0, searches: 1)
            && !search.isExceeded(by: index)
        keys = KeyRanges([term.keys], isExact: isExact, fields: index.fields)
        self.index = index
        self.term = term
    }
}

extension WordSearch.Term {
    /// The keys of the word in an index, or of all words that begin so.
    var keys: KeyRange {
        isPrefix ? .prefix(WordKey.prefix(of: bytes)) : .exactly(WordKey.bytes(of: bytes))
    }
}
