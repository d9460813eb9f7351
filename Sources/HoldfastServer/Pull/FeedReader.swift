import Holdfast
import HoldfastSync

/// Reads a page of a scope's history.
struct FeedReader {
    let scope: ScopeName
    let tables: Set<TableName>?
    let limit: Int
    let byteLimit: Int
    /// The form of a record, of which one was noted.
    let form: (RecordReference, Int) -> Int
    /// The keys of the client that asks, by the records that contain their effects.
    var mine: [RecordReference: [MutationKey]] = [:]
    private(set) var changes: [ServerChange] = []
    /// The last position that the page covers.
    private(set) var end: Int64 = 0
    private(set) var hasMore = false
    private var bytes = 0
    private var visited = 0

    init(
        scope: ScopeName,
        tables: Set<TableName>?,
        limit: Int,
        byteLimit: Int,
        form: @escaping (RecordReference, Int) -> Int
    ) {
        self.scope = scope
        self.tables = tables
        self.limit = limit
        self.byteLimit = byteLimit
        self.form = form
    }

    /// So many positions of other tables are passed over for each that may be returned.
    private static let patience = 20

    /// Fills the page.
    mutating func read(
        after start: Int64,
        in transaction: borrowing some Transaction & ~Copyable
    ) throws {
        end = start
        var entries: [(sequence: Int64, entry: FeedEntry)] = []
        var hasMore = false
        try transaction.scanSystem(ServerKey.feed(scope, after: start)) { key, value in
            let sequence = MetadataReader.ordered(key.suffix(8))
            let entry = try FeedEntry(value)
            let isWanted = tables?.contains(entry.record.table) ?? true
            guard visited < limit * Self.patience, !isWanted || entries.count < limit else {
                hasMore = true
                return false
            }
            visited += 1
            end = sequence
            if isWanted { entries.append((sequence, entry)) }
            return true
        }
        self.hasMore = hasMore
        try fill(entries, in: transaction)
    }

    private mutating func fill(
        _ entries: [(sequence: Int64, entry: FeedEntry)],
        in transaction: borrowing some Transaction & ~Copyable
    ) throws {
        changes.reserveCapacity(entries.count)
        for (place, (sequence, entry)) in entries.enumerated() {
            if bytes > byteLimit {
                hasMore = true
                end = entries[place - 1].sequence
                return
            }
            changes.append(try change(entry, at: sequence, in: transaction))
        }
    }

    private mutating func change(
        _ entry: FeedEntry,
        at sequence: Int64,
        in transaction: borrowing some Transaction & ~Copyable
    ) throws -> ServerChange {
        var change = ServerChange(
            scope: scope,
            record: entry.record,
            version: entry.version,
            sequence: sequence,
            kind: entry.kind
        )
        if !mine.isEmpty { change.mine = mine[entry.record] ?? [] }
        guard entry.kind == .put else { return change }
        change.form = form(entry.record, entry.form)
        let (id, table) = (entry.record.id, entry.record.table)
        guard let document = try transaction.document(of: id, in: table) else {
            throw MetadataReader.damage
        }
        bytes += document.count
        change.fields = try Document.decode(document)
        return change
    }
}
