import Holdfast
import HoldfastStorage
import HoldfastSync

/// What a cursor says: a position in a scope's history, for a set of tables.
struct FeedPosition: Hashable, Sendable {
    /// What the cursor is bound to: history, scope and tables.
    let binding: UInt64
    /// The last position that was seen.
    var sequence: Int64

    init(_ epoch: EpochID, _ scope: ScopeName, _ tables: [TableName]?, sequence: Int64) {
        binding = Self.binding(epoch, scope, tables)
        self.sequence = sequence
    }

    /// Reads a cursor; `nil` for what no server wrote.
    init?(_ cursor: SyncCursor) {
        let text = cursor.text
        guard let dash = text.utf8.firstIndex(of: UInt8(ascii: "-")),
            let binding = UInt64(text[..<dash], radix: 16),
            let sequence = Int64(text[text.utf8.index(after: dash)...]), sequence >= 0
        else { return nil }
        self.binding = binding
        self.sequence = sequence
    }

    var cursor: SyncCursor { SyncCursor("\(String(binding, radix: 16))-\(sequence)") }

    static func binding(_ epoch: EpochID, _ scope: ScopeName, _ tables: [TableName]?) -> UInt64 {
        var writer = MetadataWriter()
        writer.append(epoch.text)
        writer.append(scope.text)
        for table in Set(tables ?? []).sorted() { writer.append(table.text) }
        if tables == nil { writer.append(byte: 0) }
        return unsafe XXH64.hash(of: writer.bytes.span.bytes)
    }
}
