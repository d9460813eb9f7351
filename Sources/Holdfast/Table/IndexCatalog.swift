import HoldfastStorage
import Synchronization

/// What is stored about tables and indexes, remembered from one query to the next in its decoded
/// form.
///
/// It is asked with what is stored, the names of the indexes and the bytes of a table's record, so
/// that what it says is never stale, whatever state of the store asks.
final class IndexCatalog: Sendable {
    /// No more tables' records than this are remembered; those of most tables are equal.
    private static let recordLimit = 256

    private struct Contents {
        var names: [String] = []
        var indexes: [TableName: TableIndexes] = [:]
        var records: [[UInt8]: TableRecord] = [:]
    }

    private let contents = Mutex(Contents())

    /// The indexes of a table among those that the engine has under these names.
    func indexes(named names: [String], of table: TableName) -> TableIndexes {
        contents.withLock { contents in
            if contents.names != names {
                contents.names = names
                contents.indexes = Self.indexes(named: names)
            }
            return contents.indexes[table] ?? TableIndexes()
        }
    }

    /// What a table's record says; `decode` is called for one that was not seen lately.
    func tableRecord(
        in value: [UInt8],
        _ decode: ([UInt8]) throws -> TableRecord
    ) rethrows -> TableRecord {
        if let record = contents.withLock({ $0.records[value] }) { return record }
        let record = try decode(value)
        contents.withLock { contents in
            if contents.records.count >= Self.recordLimit { contents.records = [:] }
            contents.records[value] = record
        }
        return record
    }

    private static func indexes(named names: [String]) -> [TableName: TableIndexes] {
        var indexes: [TableName: TableIndexes] = [:]
        for name in names.sorted() {
            guard let index = TableIndex(engineName: name) else { continue }
            indexes[index.table, default: TableIndexes()].append(index.index, named: name)
        }
        return indexes
    }
}
