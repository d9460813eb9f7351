#if HAS_LMDB
import CLMDB
import Foundation

/// LMDB with its default durability: two trees in one environment, the second one an index by hand.
///
/// Committers wait for its own lock. Reads use one transaction that is renewed for each.
@safe
final class LMDBEngine: BlockingEngine, @unchecked Sendable {
    typealias Row = Note
    typealias Key = [UInt8]

    /// The version of the library.
    static var version: String { "\(MDB_VERSION_MAJOR).\(MDB_VERSION_MINOR).\(MDB_VERSION_PATCH)" }

    private static let mapBytes = 32 << 30

    private let environment: OpaquePointer
    private let notes: MDB_dbi
    private let dates: MDB_dbi
    // Used by one task at a time.
    private let reader: OpaquePointer

    init(at path: String) throws {
        var opened: OpaquePointer?
        try Self.check(unsafe mdb_env_create(&opened))
        guard let environment = unsafe opened else { throw Failure("LMDB has no environment") }
        try Self.check(unsafe mdb_env_set_mapsize(environment, Self.mapBytes))
        try Self.check(unsafe mdb_env_set_maxdbs(environment, 2))
        try Self.check(unsafe mdb_env_open(environment, path, UInt32(MDB_NOTLS), 0o600))
        (notes, dates) = try unsafe Self.trees(unsafe environment)
        unsafe reader = try unsafe Self.begin(environment, UInt32(MDB_RDONLY))
        unsafe mdb_txn_reset(reader)
        unsafe self.environment = unsafe environment
    }

    func insertBlocking(_ rows: [Note]) throws {
        try unsafe write { transaction in
            for row in rows {
                try unsafe put(row.value, row.key, notes, transaction)
                try unsafe put([], row.indexKey, dates, transaction)
            }
        }
    }

    func updateBlocking(_ rows: [Note]) throws {
        try unsafe write { transaction in
            for row in rows {
                let old = try unsafe get(row.key, transaction) { value in
                    Note.indexKey(row.key, Array(copying: value)[..<Note.dateBytes])
                }
                guard let old else { throw Failure("LMDB does not have a note") }
                try unsafe delete(old, dates, transaction)
                try unsafe put(row.value, row.key, notes, transaction)
                try unsafe put([], row.indexKey, dates, transaction)
            }
        }
    }

    func read(_ keys: [[UInt8]], into tally: inout Tally) throws {
        try unsafe read { transaction in
            for key in keys { try unsafe get(key, transaction) { tally.add($0) } }
        }
    }

    func newest(_ count: Int, into tally: inout Tally) throws {
        try unsafe read { transaction in
            try unsafe walk(dates, transaction, from: nil, MDB_PREV, count) { key, _ in
                let id = Array(copying: key.extracting(droppingFirst: Note.dateBytes))
                try unsafe get(id, transaction) { tally.add($0) }
            }
        }
    }

    func range(from key: [UInt8], _ count: Int, into tally: inout Tally) throws {
        try unsafe read { transaction in
            try unsafe walk(notes, transaction, from: key, MDB_NEXT, count) { tally.add($1) }
        }
    }

    func scan(into tally: inout Tally) throws {
        try unsafe read { transaction in
            try unsafe walk(notes, transaction, from: nil, MDB_NEXT, .max) { tally.add($1) }
        }
    }

    func value(of key: [UInt8]) throws -> [UInt8]? {
        try unsafe read { try unsafe get(key, $0) { Array(copying: $0) } }
    }

    func newestKeys(_ count: Int) throws -> [[UInt8]] {
        try unsafe read { transaction in
            var keys: [[UInt8]] = []
            try unsafe walk(dates, transaction, from: nil, MDB_PREV, count) { key, _ in
                keys.append(Array(copying: key.extracting(droppingFirst: Note.dateBytes)))
            }
            return keys
        }
    }

    func close() async throws {
        unsafe mdb_txn_abort(reader)
        unsafe mdb_env_close(environment)
    }
}

extension LMDBEngine {
    private static func check(_ code: Int32) throws {
        if code == 0 { return }
        throw unsafe Failure("LMDB: \(String(cString: mdb_strerror(code)))")
    }

    private static func begin(
        _ environment: OpaquePointer,
        _ flags: UInt32
    ) throws -> OpaquePointer {
        var transaction: OpaquePointer?
        try check(unsafe mdb_txn_begin(environment, nil, flags, &transaction))
        guard let transaction = unsafe transaction else { throw Failure("LMDB has no transaction") }
        return unsafe transaction
    }

    private static func trees(_ environment: OpaquePointer) throws -> (MDB_dbi, MDB_dbi) {
        let transaction = try unsafe begin(environment, 0)
        var (notes, dates) = (MDB_dbi(), MDB_dbi())
        try check(unsafe mdb_dbi_open(transaction, "notes", UInt32(MDB_CREATE), &notes))
        try check(unsafe mdb_dbi_open(transaction, "dates", UInt32(MDB_CREATE), &dates))
        try check(unsafe mdb_txn_commit(transaction))
        return (notes, dates)
    }

    private func write(_ body: (OpaquePointer) throws -> Void) throws {
        let transaction = try unsafe Self.begin(environment, 0)
        do {
            try unsafe body(transaction)
        } catch {
            unsafe mdb_txn_abort(transaction)
            throw error
        }
        try Self.check(unsafe mdb_txn_commit(transaction))
    }

    private func read<Result>(_ body: (OpaquePointer) throws -> Result) throws -> Result {
        try Self.check(unsafe mdb_txn_renew(reader))
        defer { unsafe mdb_txn_reset(reader) }
        return try unsafe body(reader)
    }

    private func put(
        _ value: [UInt8],
        _ key: [UInt8],
        _ tree: MDB_dbi,
        _ transaction: OpaquePointer
    ) throws {
        try unsafe withEntry(key) { key in
            try unsafe withEntry(value) { value in
                var (key, value) = unsafe (key, value)
                try Self.check(unsafe mdb_put(transaction, tree, &key, &value, 0))
            }
        }
    }

    private func delete(_ key: [UInt8], _ tree: MDB_dbi, _ transaction: OpaquePointer) throws {
        try unsafe withEntry(key) { key in
            var key = unsafe key
            try Self.check(unsafe mdb_del(transaction, tree, &key, nil))
        }
    }

    @discardableResult
    private func get<Result>(
        _ key: [UInt8],
        _ transaction: OpaquePointer,
        _ body: (RawSpan) throws -> Result
    ) throws -> Result? {
        try unsafe withEntry(key) { key in
            var (key, value) = unsafe (key, MDB_val())
            let code = unsafe mdb_get(transaction, notes, &key, &value)
            if code == MDB_NOTFOUND { return nil }
            try Self.check(code)
            return try body(unsafe Self.buffer(value).bytes)
        }
    }

    /// Visits entries from a key on, or from the end where the direction begins.
    private func walk(
        _ tree: MDB_dbi,
        _ transaction: OpaquePointer,
        from start: [UInt8]?,
        _ direction: MDB_cursor_op,
        _ count: Int,
        _ visit: (_ key: RawSpan, _ value: RawSpan) throws -> Void
    ) throws {
        var opened: OpaquePointer?
        try Self.check(unsafe mdb_cursor_open(transaction, tree, &opened))
        guard let cursor = unsafe opened else { throw Failure("LMDB has no cursor") }
        defer { unsafe mdb_cursor_close(cursor) }
        try unsafe withEntry(start ?? []) { entry in
            var (key, value) = unsafe (entry, MDB_val())
            var step = direction == MDB_PREV ? MDB_LAST : start == nil ? MDB_FIRST : MDB_SET_RANGE
            var left = count
            while left > 0 {
                let code = unsafe mdb_cursor_get(cursor, &key, &value, step)
                if code == MDB_NOTFOUND { return }
                try Self.check(code)
                try visit(unsafe Self.buffer(key).bytes, unsafe Self.buffer(value).bytes)
                left -= 1
                step = direction
            }
        }
    }

    private func withEntry<Result>(
        _ bytes: [UInt8],
        _ body: (MDB_val) throws -> Result
    ) rethrows -> Result {
        try unsafe bytes.withUnsafeBytes { buffer in
            let start = unsafe UnsafeMutableRawPointer(mutating: buffer.baseAddress)
            return try unsafe body(MDB_val(mv_size: buffer.count, mv_data: start))
        }
    }

    private static func buffer(_ entry: MDB_val) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: entry.mv_data, count: entry.mv_size)
    }
}
#endif
