#if HAS_ROCKSDB
import CRocksDB
import Foundation

/// RocksDB with a sync at every commit: levels, 256 MiB of cache, Bloom filters, no
/// compression since bodies do not compress, two background threads.
///
/// Threads that commit at once share a write as the library does it.
@safe
final class RocksDBEngine: BlockingEngine, @unchecked Sendable {
    typealias Row = PrefixedNote
    typealias Key = [UInt8]

    /// The version of the library.
    ///
    /// Its C interface does not tell it; its C++ header does.
    static var version: String {
        let paths = ["/usr/include", "/usr/local/include", "/opt/homebrew/include"]
        let text = paths.lazy.compactMap {
            try? String(contentsOfFile: "\($0)/rocksdb/version.h", encoding: .utf8)
        }
        let words = (text.first ?? "").split(whereSeparator: \.isWhitespace)
        let numbers = ["MAJOR", "MINOR", "PATCH"].compactMap { part in
            words.firstIndex(of: "ROCKSDB_\(part)").map { String(words[$0 + 1]) }
        }
        return numbers.isEmpty ? "of unknown version" : numbers.joined(separator: ".")
    }

    private static let cacheBytes = 256 << 20
    private static let filterBits: Double = 10

    private let database: OpaquePointer
    private let reading: OpaquePointer
    private let writing: OpaquePointer

    init(at path: String) throws {
        guard let options = unsafe rocksdb_options_create(),
            let reading = unsafe rocksdb_readoptions_create(),
            let writing = unsafe rocksdb_writeoptions_create()
        else { throw Failure("RocksDB has no options") }
        unsafe Self.configure(options)
        unsafe rocksdb_writeoptions_set_sync(writing, 1)
        let database = try unsafe Self.checking { error in
            unsafe rocksdb_open(options, "\(path)/notes", error)
        }
        guard let database = unsafe database else { throw Failure("RocksDB does not open") }
        unsafe self.database = unsafe database
        unsafe self.reading = unsafe reading
        unsafe self.writing = unsafe writing
    }

    func row(_ note: Note) throws -> PrefixedNote { PrefixedNote(note) }

    func key(_ bytes: [UInt8]) throws -> [UInt8] { PrefixedNote.key(bytes) }

    func insertBlocking(_ rows: [PrefixedNote]) throws {
        try unsafe write { batch in
            for row in rows {
                unsafe put(row.value, row.key, batch)
                unsafe put([], row.indexKey, batch)
            }
        }
    }

    func updateBlocking(_ rows: [PrefixedNote]) throws {
        try unsafe write { batch in
            for row in rows {
                guard let old = try get(row.key, { row.indexKey(of: $0) }) else {
                    throw Failure("RocksDB does not have a note")
                }
                unsafe delete(old, batch)
                unsafe put(row.value, row.key, batch)
                unsafe put([], row.indexKey, batch)
            }
        }
    }

    func read(_ keys: [[UInt8]], into tally: inout Tally) throws {
        for key in keys { try get(key) { tally.add($0) } }
    }

    func newest(_ count: Int, into tally: inout Tally) throws {
        try walkBack(count) { key in
            try get(PrefixedNote.key(PrefixedNote.id(ofIndexKey: key))) { tally.add($0) }
        }
    }

    func range(from key: [UInt8], _ count: Int, into tally: inout Tally) throws {
        try walk(from: key, count) { tally.add($0) }
    }

    func scan(into tally: inout Tally) throws {
        try walk(from: [PrefixedNote.note], .max) { tally.add($0) }
    }

    func value(of key: [UInt8]) throws -> [UInt8]? {
        try get(PrefixedNote.key(key)) { Array(copying: $0) }
    }

    func newestKeys(_ count: Int) throws -> [[UInt8]] {
        var keys: [[UInt8]] = []
        try walkBack(count) { keys.append(PrefixedNote.id(ofIndexKey: $0)) }
        return keys
    }

    /// Compacts everything, which it would do bit by bit later.
    func settle() async throws { unsafe rocksdb_compact_range(database, nil, 0, nil, 0) }

    func close() async throws {
        unsafe rocksdb_close(database)
        unsafe rocksdb_readoptions_destroy(reading)
        unsafe rocksdb_writeoptions_destroy(writing)
    }
}

extension RocksDBEngine {
    private static func configure(_ options: OpaquePointer) {
        let table = unsafe rocksdb_block_based_options_create()
        unsafe rocksdb_block_based_options_set_filter_policy(
            table,
            rocksdb_filterpolicy_create_bloom_full(filterBits)
        )
        unsafe rocksdb_block_based_options_set_block_cache(
            table,
            rocksdb_cache_create_lru(cacheBytes)
        )
        unsafe rocksdb_options_set_block_based_table_factory(options, table)
        unsafe rocksdb_options_set_create_if_missing(options, 1)
        unsafe rocksdb_options_set_compression(options, Int32(rocksdb_no_compression))
        unsafe rocksdb_options_increase_parallelism(options, 2)
    }

    private static func checking<Result>(
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) throws -> Result
    ) throws -> Result {
        var message: UnsafeMutablePointer<CChar>?
        let result = try unsafe body(&message)
        guard let message = unsafe message else { return result }
        defer { unsafe rocksdb_free(message) }
        throw unsafe Failure("RocksDB: \(String(cString: message))")
    }

    private func write(_ body: (OpaquePointer) throws -> Void) throws {
        guard let batch = unsafe rocksdb_writebatch_create() else {
            throw Failure("RocksDB has no batch")
        }
        defer { unsafe rocksdb_writebatch_destroy(batch) }
        try unsafe body(batch)
        try unsafe Self.checking { unsafe rocksdb_write(database, writing, batch, $0) }
    }

    private func put(_ value: [UInt8], _ key: [UInt8], _ batch: OpaquePointer) {
        unsafe withCharacters(key) { key in
            unsafe withCharacters(value) { value in
                unsafe rocksdb_writebatch_put(
                    batch,
                    key.baseAddress,
                    key.count,
                    value.baseAddress,
                    value.count
                )
            }
        }
    }

    private func delete(_ key: [UInt8], _ batch: OpaquePointer) {
        unsafe withCharacters(key) { key in
            unsafe rocksdb_writebatch_delete(batch, key.baseAddress, key.count)
        }
    }

    /// Reads a value where it lies, without copying it.
    @discardableResult
    private func get<Result>(
        _ key: [UInt8],
        _ body: (RawSpan) throws -> Result
    ) throws -> Result? {
        let pinned = try unsafe withCharacters(key) { key in
            try unsafe Self.checking { error in
                unsafe rocksdb_get_pinned(database, reading, key.baseAddress, key.count, error)
            }
        }
        guard let pinned = unsafe pinned else { return nil }
        defer { unsafe rocksdb_pinnableslice_destroy(pinned) }
        var length = 0
        let start = unsafe rocksdb_pinnableslice_value(pinned, &length)
        return try body(unsafe UnsafeRawBufferPointer(start: start, count: length).bytes)
    }

    /// Visits the values from a key on.
    private func walk(
        from key: [UInt8],
        _ count: Int,
        _ visit: (RawSpan) throws -> Void
    ) throws {
        try unsafe withIterator { iterator in
            unsafe withCharacters(key) {
                unsafe rocksdb_iter_seek(iterator, $0.baseAddress, $0.count)
            }
            var left = count
            while left > 0, unsafe rocksdb_iter_valid(iterator) != 0 {
                var length = 0
                let start = unsafe rocksdb_iter_value(iterator, &length)
                try visit(unsafe UnsafeRawBufferPointer(start: start, count: length).bytes)
                left -= 1
                unsafe rocksdb_iter_next(iterator)
            }
        }
    }

    /// Visits the keys of the index from its end back.
    private func walkBack(_ count: Int, _ visit: (RawSpan) throws -> Void) throws {
        try unsafe withIterator { iterator in
            unsafe withCharacters(PrefixedNote.endOfDates) {
                unsafe rocksdb_iter_seek_for_prev(iterator, $0.baseAddress, $0.count)
            }
            var left = count
            while left > 0, unsafe rocksdb_iter_valid(iterator) != 0 {
                var length = 0
                let start = unsafe rocksdb_iter_key(iterator, &length)
                try visit(unsafe UnsafeRawBufferPointer(start: start, count: length).bytes)
                left -= 1
                unsafe rocksdb_iter_prev(iterator)
            }
        }
    }

    private func withIterator(_ body: (OpaquePointer) throws -> Void) throws {
        guard let iterator = unsafe rocksdb_create_iterator(database, reading) else {
            throw Failure("RocksDB has no iterator")
        }
        defer { unsafe rocksdb_iter_destroy(iterator) }
        try unsafe body(iterator)
        try unsafe Self.checking { unsafe rocksdb_iter_get_error(iterator, $0) }
    }

    private func withCharacters<Result>(
        _ bytes: [UInt8],
        _ body: (UnsafeBufferPointer<CChar>) throws -> Result
    ) rethrows -> Result {
        try unsafe bytes.withUnsafeBytes { buffer in
            try unsafe body(buffer.assumingMemoryBound(to: CChar.self))
        }
    }
}
#endif
