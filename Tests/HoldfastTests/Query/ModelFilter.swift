import Holdfast
import HoldfastTesting

/// A filter as a test builds it, with a meaning that is written apart from the library's.
indirect enum ModelFilter: Sendable {
    case condition(String, Filter.Comparison, JSONValue)
    case search(String, [String])
    case all([ModelFilter])
    case any([ModelFilter])
    case not(ModelFilter)

    var filter: Filter {
        switch self {
        case .condition(let field, let comparison, let value): Filter(field, comparison, value)
        case .search(let text, let fields): .search(text, in: fields)
        case .all(let filters): .all(filters.map(\.filter))
        case .any(let filters): .any(filters.map(\.filter))
        case .not(let filter): .not(filter.filter)
        }
    }

    func passes(_ record: JSONObject) -> Bool {
        switch self {
        case .condition(let field, let comparison, let value):
            NaiveQuery.passes(record[field] ?? .null, comparison, value)
        case .search(let text, let fields): NaiveWords.passes(record, text, fields)
        case .all(let filters): filters.allSatisfy { $0.passes(record) }
        case .any(let filters): filters.contains { $0.passes(record) }
        case .not(let filter): !filter.passes(record)
        }
    }

    /// Simpler filters.
    var simpler: [ModelFilter] {
        switch self {
        case .condition, .search: []
        case .all(let filters): Self.simpler(filters, ModelFilter.all)
        case .any(let filters): Self.simpler(filters, ModelFilter.any)
        case .not(let filter): [filter] + filter.simpler.map { .not($0) }
        }
    }

    private static func simpler(
        _ filters: [ModelFilter],
        _ make: ([ModelFilter]) -> ModelFilter
    ) -> [ModelFilter] {
        var results = filters + filters.shortened.map(make)
        for (position, filter) in filters.enumerated() {
            for simpler in filter.simpler {
                var copy = filters
                copy[position] = simpler
                results.append(make(copy))
            }
        }
        return results
    }
}

/// The words of a text by brute force: only texts of known words are taken apart rightly.
enum NaiveWords {
    /// Words as they stand in texts, and as they are compared.
    static let spellings = [
        ("Bread", "bread"), ("BRØD", "brod"), ("brot", "brot"), ("Größe", "grosse"),
        ("groß", "gross"), ("flour", "flour"), ("flo", "flo"), ("café", "cafe"),
        ("cafe\u{301}", "cafe"), ("x", "x"), ("é", "e"), ("e\u{301}", "e"), ("500", "500"),
        ("Ψωμί", "ψωμι"), ("Хлеб", "хлеб"),
    ]
    private static let compared = Dictionary(spellings) { first, _ in first }
    static let separators = [" ", ", ", "-", "\n", "!"]

    static func words(_ text: String) -> [String] {
        text.split(whereSeparator: { " ,-\n!\0".contains($0) }).map { piece in
            compared[String(piece)] ?? String(piece)
        }
    }

    static func passes(_ record: JSONObject, _ text: String, _ fields: [String]) -> Bool {
        let there = fields.flatMap { field -> [String] in
            switch record[field] {
            case .string(let text)?: return words(text)
            case .array(let elements)?:
                return elements.flatMap { element -> [String] in
                    if case .string(let text) = element { words(text) } else { [] }
                }
            default: return []
            }
        }
        var wanted = words(text)
        if let last = text.unicodeScalars.last, !" ,-\n!\0".unicodeScalars.contains(last) {
            let prefix = Array(wanted.removeLast().utf8)
            guard there.contains(where: { $0.utf8.starts(with: prefix) }) else { return false }
        }
        return wanted.allSatisfy { word in there.contains { $0.utf8.elementsEqual(word.utf8) } }
    }
}
