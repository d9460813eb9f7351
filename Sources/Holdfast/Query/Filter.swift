/// A condition that a record meets or not: on one field, on the words of some, or on others.
///
/// ```swift
/// Filter("stars", .isAtLeast, 4)
/// Filter.any(Filter("isPinned", .equals, true), .search("bread", in: "title", "body"))
/// Filter.not(Filter("tags", .contains, "draft"))
/// ```
///
/// It is a value: building one reads nothing. A field that a record lacks counts as null, and
/// ``not(_:)`` is plain negation: what does not meet a condition meets its negation.
public struct Filter: Sendable {
    /// How a field's value is compared; the raw value is what `hold query --where` takes.
    public enum Comparison: String, Hashable, Sendable, CaseIterable {
        /// The same value; `1` is `1.0`.
        case equals = "="
        /// Another value.
        case differs = "!="
        /// Comes before in the order of values.
        case isLess = "<"
        /// Comes before, or is the same.
        case isAtMost = "<="
        /// Comes after in the order of values.
        case isGreater = ">"
        /// Comes after, or is the same.
        case isAtLeast = ">="
        /// A text holds a text, or an array an element.
        case contains
        /// A text begins with a text.
        case begins
        /// The value is one of an array's elements.
        case isIn = "in"
    }

    /// What a filter is made of.
    package enum Node: Sendable {
        case condition(FilterCondition)
        case search(WordSearch)
        case all([Filter])
        case any([Filter])
        indirect case not(Filter)
        /// Stands for a filter nested deeper than the limit, whose parts are let go.
        case tooDeep
    }

    /// How deep filters may stand in each other; a query with a deeper one throws ``StoreError``
    /// `.invalidQuery`.
    public static let nestingLimit = 64

    package let node: Node
    /// How many filters stand in each other here.
    private let depth: Int

    private init(_ node: Node, depth: Int) {
        // What is deeper is dropped at once: giving back a chain of any length would need a stack
        // of that length.
        self.node = depth > Self.nestingLimit ? .tooDeep : node
        self.depth = depth
    }

    /// The condition that `field` compares to `value` in this way.
    public init(_ field: String, _ comparison: Comparison, _ value: JSONValue) {
        let condition = FilterCondition(field: field, comparison: comparison, value: value)
        self.init(.condition(condition), depth: 1)
    }
}

extension Filter {
    /// Met by records that meet every one of some filters; by each record when there is none.
    public static func all(_ filters: [Filter]) -> Filter {
        Filter(.all(filters), depth: depth(around: filters))
    }

    /// Met by records that meet every one of some filters.
    public static func all(_ filters: Filter...) -> Filter { all(filters) }

    /// Met by records that meet at least one of some filters; by no record when there is none.
    public static func any(_ filters: [Filter]) -> Filter {
        Filter(.any(filters), depth: depth(around: filters))
    }

    /// Met by records that meet at least one of some filters.
    public static func any(_ filters: Filter...) -> Filter { any(filters) }

    /// Met by exactly the records that do not meet a filter.
    public static func not(_ filter: Filter) -> Filter {
        Filter(.not(filter), depth: depth(around: [filter]))
    }

    /// Met by records in whose fields every word of a text stands; the last one may be the
    /// beginning of a word, unless something follows it, such as a space.
    ///
    /// So a text can be searched for while it is typed. Upper and lower case are the same, as are
    /// letters with and without accents; a text without any word is met by each record. A field
    /// counts when it holds a text, or an array of texts; the words may stand in different ones.
    /// ``Index/init(words:)`` over these fields, in any order, makes it fast; one over more fields
    /// does as well, and the records that it names are then looked at.
    public static func search(_ text: String, in fields: [String]) -> Filter {
        Filter(.search(WordSearch(text, in: fields)), depth: 1)
    }

    /// Met by records in whose fields every word of a text stands; see
    /// ``search(_:in:)-(_,[String])``.
    public static func search(_ text: String, in fields: String...) -> Filter {
        search(text, in: fields)
    }

    private static func depth(around filters: [Filter]) -> Int {
        1 + (filters.map(\.depth).max() ?? 0)
    }
}

extension Filter {
    /// Refuses a filter that cannot mean anything.
    func check() throws {
        switch node {
        case .condition(let condition): try condition.check()
        case .search(let search): try search.check()
        case .all(let filters), .any(let filters): for filter in filters { try filter.check() }
        case .not(let filter): try filter.check()
        case .tooDeep:
            throw StoreError(
                .invalidQuery,
                "Filters stand in each other at most \(Self.nestingLimit) deep;"
                    + " name several in one all or any."
            )
        }
    }

    /// Whether it has a search for words.
    var hasSearch: Bool {
        switch node {
        case .condition, .tooDeep: false
        case .search: true
        case .all(let filters), .any(let filters): filters.contains(where: \.hasSearch)
        case .not(let filter): filter.hasSearch
        }
    }
}
