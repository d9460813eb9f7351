package import HoldfastStorage

/// The parts of a store that its own neighbours keep their entries in, apart from all records.
///
/// What stands there is the neighbour's: no reader of records, no index and no observer sees it.
package enum SystemSpace: CaseIterable {
    /// What a replica knows of its server, and what it has to tell it.
    case sync
    /// What a server knows of its records and its clients.
    case server

    /// What every key begins with: a zero byte, the space's name, a zero byte.
    package var prefix: [UInt8] {
        switch self {
        case .sync: [0, 0x73, 0x79, 0x6E, 0x63, 0]
        case .server: [0, 0x73, 0x65, 0x72, 0x76, 0x65, 0x72, 0]
        }
    }

    /// All keys.
    package var keys: KeyRange { .prefix(prefix) }

    /// Whether a key is one of a space's: its value need not be a document.
    static func holds(_ key: RawSpan) -> Bool {
        if RecordKey.isRecord(key) { return false }
        return allCases.contains { $0.keys.contains(key) }
    }
}
