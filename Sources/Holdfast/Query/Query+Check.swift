extension Query {
    /// Refuses a query that cannot mean anything.
    func check() throws {
        if let limit, limit < 0 {
            throw StoreError(.invalidQuery, "A limit is 0 or more.", table: table)
        }
        do {
            for filter in filters { try filter.check() }
        } catch var error as StoreError {
            error.table = table
            throw error
        }
    }
}
