import HoldfastStorage

extension Transaction where Self: ~Copyable {
    /// Visits the records of a query in its order, one at a time.
    ///
    /// One record is held at a time. A sort without a limit holds the ordering values of all,
    /// though, and a plan that gathers ids some of the ids, at most 131,072.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - visit: Called for each record at once, in the caller's thread; `false` ends the visit.
    /// - Returns: The cursor behind the last record visited, or `nil` when none is left.
    /// - Throws: What `visit` throws, or ``StoreError``; with `.wrongType` or `.corruption` at the
    ///   first record that cannot be read: none is skipped.
    /// - Complexity: That of `fetch`.
    @discardableResult
    public func forEach<Row: Record>(
        _ query: Query<Row>,
        _ visit: (Row) throws -> Bool
    ) throws -> QueryCursor? {
        try QueryExecution(of: query.untyped, on: state).run { key, value in
            try visit(state.decode(Row.self, value, at: key))
        }
    }

    /// Visits every record of a type in no particular order: the fastest way to see them all.
    ///
    /// It reads the journal from its start to its end, where the order of the ids would read here
    /// and there.
    ///
    /// - Parameters:
    ///   - type: The type of the records.
    ///   - visit: Called for each record at once, in the caller's thread; `false` ends the visit.
    /// - Throws: What `visit` throws, or ``StoreError``; with `.wrongType` or `.corruption` at the
    ///   first record that cannot be read: none is skipped.
    /// - Complexity: O(n) for n records, in bounded memory.
    public func forEachUnordered<Row: Record>(
        _ type: Row.Type,
        _ visit: (Row) throws -> Bool
    ) throws {
        try StoreError.translate(table: Row.table) {
            try state.storage.scanUnordered(RecordKey.range(of: Row.table)) { key, value in
                try visit(state.decode(type, value, at: key))
            }
        }
    }
}
