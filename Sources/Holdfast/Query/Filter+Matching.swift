extension Filter {
    /// Whether a record meets the filter, as a query would find it.
    ///
    /// A filter that a query would refuse is met by no record.
    ///
    /// - Complexity: O(n) in the number of conditions; a search reads the texts of its fields.
    public func matches(_ object: JSONObject) -> Bool {
        if case nil = try? check() { return false }
        return meets(object)
    }

    private func meets(_ object: JSONObject) -> Bool {
        switch node {
        case .condition(let condition): condition.matches(object[condition.field] ?? .null)
        case .search(let search): search.matches(object)
        case .all(let filters): filters.allSatisfy { $0.meets(object) }
        case .any(let filters): filters.contains { $0.meets(object) }
        case .not(let filter): !filter.meets(object)
        case .tooDeep: false
        }
    }
}
