#if HAS_LEVELDB
import CLevelDB
import Foundation

/// LevelDB with a sync at every commit: 256 MiB of cache, Bloom filters, 64 MiB of write
/// buffer, no compression since bodies do not compress.
///
/// Threads that commit at once share a write as the library does it.
@safe
final class LevelDBEngine: BlockingEngine, @unchecked Sendable {
    typealias Row = PrefixedNote
    typealias Key = [UInt8]

    /// The version of the library.
    static var version: String { "\(leveldb_major_version()).\(leveldb_minor_version())" }

    private static let cacheBytes = 256 << 20
    private static let filterBits: Int32 = 10
    private static let bufferBytes = 64 << 20

    private let database: OpaquePointer
    private let reading: OpaquePointer
    private let writing: OpaquePointer

    init(at path: String) throws {
        guard let options = unsafe leveldb_options_create(),
            let reading = unsafe leveldb_readoptions_create(),
            let writing = unsafe leveldb_writeoptions_create()
        else { throw Failure("LevelDB has no options") }
        unsafe Self.configure(options)
        unsafe leveldb_writeoptions_set_sync(writing, 1)
        let database = try unsafe Self.checking { error in
            unsafe leveldb_open(options, "\(path)/notes", error)
        }
        guard let database = unsafe database else { throw Failure("LevelDB does not open") }
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
                    throw Failure("LevelDB does not have a note")
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
    func settle() async throws { unsafe leveldb_compact_range(database, nil, 0, nil, 0) }

    func close() async throws {
        unsafe leveldb_close(database)
        unsafe leveldb_readoptions_destroy(reading)
        unsafe leveldb_writeoptions_destroy(writing)
    }
}

extension LevelDBEngine {
    private static func configure(_ options: OpaquePointer) {
        unsafe leveldb_options_set_create_if_missing(options, 1)
        unsafe leveldb_options_set_cache(options, leveldb_cache_create_lru(cacheBytes))
        unsafe leveldb_options_set_filter_policy(
            options,
            leveldb_filterpolicy_create_bloom(filterBits)
        )
        unsafe leveldb_options_set_write_buffer_size(options, bufferBytes)
        unsafe leveldb_options_set_compression(options, Int32(leveldb_no_compression))
    }

    private static func checking<Result>(
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) throws -> Result
    ) throws -> Result {
        var message: UnsafeMutablePointer<CChar>?
        let result = try unsafe body(&message)
        guard let message = unsafe message else { return result }
        defer { unsafe leveldb_free(message) }
        throw unsafe Failure("LevelDB: \(String(cString: message))")
    }

    private func write(_ body: (OpaquePointer) throws -> Void) throws {
        guard let batch = unsafe leveldb_writebatch_create() else {
            throw Failure("LevelDB has no batch")
        }
        defer { unsafe leveldb_writebatch_destroy(batch) }
        try unsafe body(batch)
        try unsafe Self.checking { unsafe leveldb_write(database, writing, batch, $0) }
    }

    private func put(_ value: [UInt8], _ key: [UInt8], _ batch: OpaquePointer) {
        unsafe withCharacters(key) { key in
            unsafe withCharacters(value) { value in
                unsafe leveldb_writebatch_put(
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
            unsafe leveldb_writebatch_delete(batch, key.baseAddress, key.count)
        }
    }

    /// Reads a value, which the library copies.
    @discardableResult
    private func get<Result>(
        _ key: [UInt8],
        _ body: (RawSpan) throws -> Result
    ) throws -> Result? {
        var length = 0
        let start = try unsafe withCharacters(key) { key in
            try unsafe Self.checking { error in
                unsafe leveldb_get(database, reading, key.baseAddress, key.count, &length, error)
            }
        }
        guard let start = unsafe start else { return nil }
        defer { unsafe leveldb_free(start) }
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
                unsafe leveldb_iter_seek(iterator, $0.baseAddress, $0.count)
            }
            var left = count
            while left > 0, unsafe leveldb_iter_valid(iterator) != 0 {
                var length = 0
                let start = unsafe leveldb_iter_value(iterator, &length)
                try visit(unsafe UnsafeRawBufferPointer(start: start, count: length).bytes)
                left -= 1
                unsafe leveldb_iter_next(iterator)
            }
        }
    }

    /// Visits the keys of the index from its end back.
    private func walkBack(_ count: Int, _ visit: (RawSpan) throws -> Void) throws {
        try unsafe withIterator { iterator in
            unsafe withCharacters(PrefixedNote.endOfDates) {
                unsafe leveldb_iter_seek(iterator, $0.baseAddress, $0.count)
            }
            if unsafe leveldb_iter_valid(iterator) != 0 {
                unsafe leveldb_iter_prev(iterator)
            } else {
                unsafe leveldb_iter_seek_to_last(iterator)
            }
            var left = count
            while left > 0, unsafe leveldb_iter_valid(iterator) != 0 {
                var length = 0
                let start = unsafe leveldb_iter_key(iterator, &length)
                try visit(unsafe UnsafeRawBufferPointer(start: start, count: length).bytes)
                left -= 1
                unsafe leveldb_iter_prev(iterator)
            }
        }
    }

    private func withIterator(_ body: (OpaquePointer) throws -> Void) throws {
        guard let iterator = unsafe leveldb_create_iterator(database, reading) else {
            throw Failure("LevelDB has no iterator")
        }
        defer { unsafe leveldb_iter_destroy(iterator) }
        try unsafe body(iterator)
        try unsafe Self.checking { unsafe leveldb_iter_get_error(iterator, $0) }
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
