/// One side of the comparison.
enum EngineKind: String, CaseIterable, Sendable {
    case sqlite
    case sqliteTuned = "sqlite-tuned"
    case sqliteNormal = "sqlite-normal"
    case lmdb
    case rocksdb
    case leveldb
    case holdfast
    case holdfastTyped = "holdfast-typed"

    /// The name, for the heads of tables.
    var title: String {
        switch self {
        case .sqlite: "SQLite"
        case .sqliteTuned: "SQLite, tuned"
        case .sqliteNormal: "SQLite, NORMAL"
        case .lmdb: "LMDB"
        case .rocksdb: "RocksDB"
        case .leveldb: "LevelDB"
        case .holdfast: "Holdfast"
        case .holdfastTyped: "Holdfast, typed"
        }
    }

    /// The version and the settings.
    var settings: String {
        switch self {
        case .sqlite: "\(version): WAL, synchronous FULL, all else by default"
        case .sqliteTuned: "\(version): as before; cache 256 MiB, mmap, WAL up to 40 MiB"
        case .sqliteNormal: "\(version): tuned, synchronous NORMAL: a power loss takes commits"
        case .lmdb: "\(version): durable by default, an index in a second tree"
        case .rocksdb: "\(version): sync, cache 256 MiB, Bloom filters, no compression"
        case .leveldb:
            "\(version): sync, cache 256 MiB, buffer 64 MiB, Bloom filters, no compression"
        case .holdfast: "this tree: .synced, all by default (cache of values 32 MiB), bytes"
        case .holdfastTyped: "this tree: .synced, all by default, Codable records"
        }
    }

    /// Whether it is one of those that Holdfast is compared with at equal promises.
    var isPeer: Bool { !isHoldfast && self != .sqliteNormal }

    /// Whether it is Holdfast.
    var isHoldfast: Bool { self == .holdfast || self == .holdfastTyped }

    /// Whether it was there when the program was built.
    var isAvailable: Bool { library != nil }

    private var version: String { library ?? "absent" }
}

extension EngineKind {
    /// The version of the library; `nil` where it was not there.
    private var library: String? {
        #if HAS_SQLITE
        if isSQLite { return SQLiteEngine.version }
        #endif
        #if HAS_LMDB
        if self == .lmdb { return LMDBEngine.version }
        #endif
        #if HAS_ROCKSDB
        if self == .rocksdb { return RocksDBEngine.version }
        #endif
        #if HAS_LEVELDB
        if self == .leveldb { return LevelDBEngine.version }
        #endif
        return isHoldfast ? "this tree" : nil
    }

    private var isSQLite: Bool { [.sqlite, .sqliteTuned, .sqliteNormal].contains(self) }

    /// Opens or creates a store in a directory that is there.
    func open(at path: String) async throws -> any Engine {
        if self == .holdfast { return try await HoldfastEngine(at: "\(path)/notes.holdfast") }
        if isHoldfast { return try await HoldfastTypedEngine(at: "\(path)/notes.holdfast") }
        #if HAS_SQLITE
        if self == .sqlite { return try SQLiteEngine(at: path, .full) }
        if self == .sqliteTuned { return try SQLiteEngine(at: path, .tuned) }
        if isSQLite { return try SQLiteEngine(at: path, .normal) }
        #endif
        #if HAS_LMDB
        if self == .lmdb { return try LMDBEngine(at: path) }
        #endif
        #if HAS_ROCKSDB
        if self == .rocksdb { return try RocksDBEngine(at: path) }
        #endif
        #if HAS_LEVELDB
        if self == .leveldb { return try LevelDBEngine(at: path) }
        #endif
        throw Failure("\(title) was not there when this was built")
    }
}
