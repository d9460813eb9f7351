import HoldfastStorage

/// The changes of several commits, table by table, in their order.
struct TableChanges {
    private(set) var changes: [TableName: [Change]] = [:]

    /// Sorts out the changes of these tables; the store's own records are of none.
    init(of tables: Set<TableName>, in commits: [Commit]) {
        let prefixes = tables.map { (table: $0, prefix: RecordKey.prefix(of: $0)) }
        for commit in commits {
            for change in commit.changes {
                // Few tables are observed at a time, and neighbours are mostly of one.
                let match = prefixes.first { change.key.starts(with: $0.prefix) }
                if let match { changes[match.table, default: []].append(change) }
            }
        }
    }
}
