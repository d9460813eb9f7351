extension Filter: CustomStringConvertible {
    /// The filter in words, its comparisons as `hold query --where` takes them.
    ///
    /// It has the values that are compared with, which may be user data.
    public var description: String {
        switch node {
        case .condition(let condition): condition.description
        case .search(let search): search.description
        case .all(let filters): Self.join(filters, by: " and ", orElse: "everything")
        case .any(let filters): Self.join(filters, by: " or ", orElse: "nothing")
        case .not(let filter): "not \(filter.part)"
        case .tooDeep: "a filter that is nested too deep"
        }
    }

    private static func join(_ filters: [Filter], by word: String, orElse none: String) -> String {
        switch filters.count {
        case 0: none
        case 1: filters[0].description
        default: filters.map(\.part).joined(separator: word)
        }
    }

    /// The filter as a part of another one.
    var part: String {
        switch node {
        case .all(let filters) where filters.count == 1: filters[0].part
        case .any(let filters) where filters.count == 1: filters[0].part
        case .all(let filters) where !filters.isEmpty: "(\(description))"
        case .any(let filters) where !filters.isEmpty: "(\(description))"
        case .not: "(\(description))"
        default: description
        }
    }
}

extension FilterCondition: CustomStringConvertible {
    /// The condition as `hold query --where` takes it.
    package var description: String {
        "\(field) \(comparison.rawValue) \(value.text)"
    }
}

extension JSONValue {
    /// The value as JSON; empty for one that no record can hold.
    fileprivate var text: String {
        String(decoding: (try? serialized()) ?? [], as: UTF8.self)
    }
}
