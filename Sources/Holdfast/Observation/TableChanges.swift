import HoldfastStorage

/// The changes of several commits, table by table, in their order.
struct TableChanges: Sendable {
    /// So many changes are told one by one.
    static let limit = 10_000

    private let prefixes: [(table: TableName, prefix: [UInt8])]
    private var changes: [TableName: [Change]] = [:]
    private var count = 0

    /// No changes of these tables yet.
    init(of tables: Set<TableName>) {
        prefixes = tables.map { (table: $0, prefix: RecordKey.prefix(of: $0)) }
    }

    /// Whether there are too many to tell.
    var isFull: Bool { count > Self.limit }

    subscript(table: TableName) -> [Change] { changes[table] ?? [] }

    /// Takes in a commit; the store's own records are of no table.
    mutating func append(_ commit: Commit) {
        for change in commit.changes {
            // Few tables are observed at a time: looking at each prefix costs less than a name.
            guard let match = prefixes.first(where: { change.key.starts(with: $0.prefix) }) else {
                continue
            }
            changes[match.table, default: []].append(change)
            count += 1
        }
    }
}
