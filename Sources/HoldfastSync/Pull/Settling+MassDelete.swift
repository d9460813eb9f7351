import Holdfast

extension MassDelete {
    /// The name of the removals behind a position.
    static func name(of scope: ScopeName, from cursor: SyncCursor?) -> String {
        "\(scope.text)@\(cursor?.text ?? "")"
    }
}

extension Settling {
    /// Whether so many removals need somebody's word: many, and a large share of a scope's records.
    ///
    /// - Complexity: O(records) the first time that there are many since the end of the history was
    ///   last reached, O(1) otherwise.
    func isMassDelete(
        _ removals: Int64,
        of scope: ScopeName,
        _ state: inout ScopeState,
        _ transaction: borrowing WriteTransaction
    ) throws -> Bool {
        guard removals > Int64(configuration.massDeleteCount) else { return false }
        let records: Int64
        if let known = state.records {
            records = known
        } else {
            records = try transaction.liveCount(of: scope) + removals
            state.records = records
        }
        return Double(removals) > Double(records) * configuration.massDeleteShare
    }
}

extension Transaction where Self: ~Copyable {
    /// How many records of a scope are here and not deleted.
    ///
    /// - Complexity: O(records).
    func liveCount(of scope: ScopeName) throws -> Int64 {
        var count: Int64 = 0
        try scanSystem(SyncKey.all(.record)) { _, value in
            let state = try SyncRecord(value)
            if state.scope == scope, !state.isDeleted { count += 1 }
            return true
        }
        return count
    }
}
