import Holdfast
import HoldfastSync

/// Where a page of a snapshot ended, and what was fixed before the first one.
struct SnapshotPosition: Hashable, Sendable {
    let binding: UInt64
    /// The newest version when the first page was made.
    let head: RecordVersion
    /// The last position of the scope's history when the first page was made.
    let sequence: Int64
    /// The last record of the page.
    var last: RecordReference?

    init(binding: UInt64, head: RecordVersion, sequence: Int64) {
        self.binding = binding
        self.head = head
        self.sequence = sequence
    }

    /// Reads a cursor; `nil` for what no server wrote.
    init?(_ cursor: SyncCursor) {
        let parts = cursor.text.split(
            separator: "-",
            maxSplits: 4,
            omittingEmptySubsequences: false
        )
        guard parts.count == 5, let binding = UInt64(parts[0], radix: 16),
            let head = Int64(parts[1]), let sequence = Int64(parts[2]), head >= 0, sequence >= 0,
            let tableBytes = Int(parts[3]), tableBytes > 0
        else { return nil }
        let rest = Array(parts[4].utf8)
        guard tableBytes < rest.count,
            let table = try? TableName(String(decoding: rest[..<tableBytes], as: UTF8.self)),
            let id = try? RecordID(String(decoding: rest[tableBytes...], as: UTF8.self))
        else { return nil }
        self.init(binding: binding, head: RecordVersion(head), sequence: sequence)
        last = RecordReference(table, id)
    }

    /// The cursor; `nil` before the first page.
    var cursor: SyncCursor? {
        guard let last else { return nil }
        let table = last.table.text
        return SyncCursor(
            "\(String(binding, radix: 16))-\(head)-\(sequence)-\(table.utf8.count)"
                + "-\(table)\(last.id.text)"
        )
    }
}
