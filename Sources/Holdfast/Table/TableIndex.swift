import HoldfastStorage

/// An index and the table that it belongs to.
struct TableIndex: Hashable, Sendable {
    let table: TableName
    let index: Index

    init(_ index: Index, on table: TableName) {
        self.index = index
        self.table = table
    }

    /// Reads back a definition's key; `nil` for one that no version of this code wrote.
    init?(systemKey key: RawSpan) {
        let parts = SystemKey.parts(of: key)
        guard parts.count >= 3, let kind = Index.Kind(rawValue: parts[0]) else { return nil }
        self.init(Index(stored: Array(parts[2...]), kind: kind), on: TableName(stored: parts[1]))
    }

    init?(engineName name: String) {
        guard let index = Base64URL.decode(name)?.withRawSpan({ Self(systemKey: $0) }) else {
            return nil
        }
        self = index
    }

    /// The key of the definition.
    var systemKey: [UInt8] { SystemKey.index(index, on: table) }

    /// The name under which the engine keeps the index.
    ///
    /// It is ASCII, for which equal texts and equal bytes are the same.
    var engineName: String { Base64URL.encode(systemKey) }
}
