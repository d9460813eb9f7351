import Holdfast
import HoldfastStorage
import HoldfastSync

/// Reads a page of a scope's records.
struct SnapshotReader {
    let scope: ScopeName
    /// In their order; `nil` for all.
    let tables: [TableName]?
    let limit: Int
    let byteLimit: Int
    let mine: [RecordReference: [MutationKey]]
    /// The form of a record, of which one was noted.
    let form: (RecordReference, Int) -> Int
    private(set) var records: [ServerChange] = []
    private(set) var hasMore = false
    private var bytes = 0

    init(
        scope: ScopeName,
        tables: [TableName]?,
        limit: Int,
        byteLimit: Int,
        mine: [RecordReference: [MutationKey]],
        form: @escaping (RecordReference, Int) -> Int
    ) {
        self.scope = scope
        self.tables = tables
        self.limit = limit
        self.byteLimit = byteLimit
        self.mine = mine
        self.form = form
    }

    /// Fills the page with what comes behind a record.
    mutating func read(
        after last: RecordReference?,
        in transaction: borrowing some Transaction & ~Copyable
    ) throws {
        for range in ranges(after: last) where !hasMore {
            var found: [RecordReference] = []
            let room = limit - records.count
            try transaction.scanSystemKeys(range) { key in
                found.append(try ServerKey.liveRecord(key, in: scope))
                return found.count <= room
            }
            for record in found {
                if records.count >= limit || bytes > byteLimit {
                    hasMore = true
                    return
                }
                try append(record, in: transaction)
            }
        }
    }

    /// The keys that are still to be read.
    private func ranges(after last: RecordReference?) -> [KeyRange] {
        let all =
            tables.map { $0.map { ServerKey.live(in: scope, $0) } }
            ?? [ServerKey.live(in: scope)]
        guard let last else { return all }
        let start = ServerKey.live(last, in: scope) + [0]
        return all.compactMap { range in
            if let upper = range.upper, !start.lexicographicallyPrecedes(upper) { return nil }
            let isInside = range.lower.lexicographicallyPrecedes(start)
            return KeyRange(from: isInside ? start : range.lower, upTo: range.upper)
        }
    }

    private mutating func append(
        _ record: RecordReference,
        in transaction: borrowing some Transaction & ~Copyable
    ) throws {
        guard let metadata = try transaction.metadata(of: record),
            let document = try transaction.document(of: record.id, in: record.table)
        else { throw MetadataReader.damage }
        bytes += document.count
        records.append(
            ServerChange(
                scope: scope,
                record: record,
                version: metadata.version,
                sequence: metadata.sequence,
                kind: .put,
                form: form(record, metadata.form),
                fields: try Document.decode(document),
                mine: mine[record] ?? []
            )
        )
    }
}
