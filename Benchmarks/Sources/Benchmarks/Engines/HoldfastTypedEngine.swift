import Holdfast
import HoldfastStorage

/// Holdfast as an app sees it: `Codable` records in a store, read back as records.
final class HoldfastTypedEngine: Engine {
    typealias Row = NoteRecord
    typealias Key = RecordID

    /// The schema: one table with one index.
    static let schema = Schema(version: 1) { Table(NoteRecord.self) { Index("updatedAt") } }

    private let store: Store

    init(at path: String) async throws {
        store = try await Store.open(at: path, schema: Self.schema)
    }

    func row(_ note: Note) throws -> NoteRecord { try NoteRecord(note) }

    func key(_ bytes: [UInt8]) throws -> RecordID {
        try RecordID(String(decoding: bytes, as: UTF8.self))
    }

    func insert(_ rows: [NoteRecord]) async throws {
        try await store.write { transaction in
            for row in rows { try transaction.put(row) }
        }
    }

    func update(_ rows: [NoteRecord]) async throws { try await insert(rows) }

    func read(_ keys: [RecordID], into tally: inout Tally) throws {
        try store.read { transaction in
            for key in keys {
                guard let note = try transaction.get(NoteRecord.self, key) else { continue }
                tally.count(note)
            }
        }
    }

    func newest(_ count: Int, into tally: inout Tally) throws {
        for note in try newest(count) { tally.count(note) }
    }

    func range(from key: RecordID, _ count: Int, into tally: inout Tally) throws {
        let query = NoteRecord.query
            .where("id", .isAtLeast, .string(key.text))
            .order(by: "id")
            .limit(count)
        for note in try store.read({ try $0.fetch(query) }) { tally.count(note) }
    }

    func scan(into tally: inout Tally) throws {
        try store.read { transaction in
            try transaction.forEachUnordered(NoteRecord.self) { note in
                tally.count(note)
                return true
            }
        }
    }

    func value(of key: [UInt8]) throws -> [UInt8]? {
        let id = try self.key(key)
        return try store.read { try $0.get(NoteRecord.self, id) }?.note.value
    }

    func newestKeys(_ count: Int) throws -> [[UInt8]] {
        try newest(count).map { Array($0.id.text.utf8) }
    }

    func close() async throws { try await store.close() }

    func remarks() throws -> [String] { try store.statistics()?.remarks ?? [] }

    private func newest(_ count: Int) throws -> [NoteRecord] {
        let query = NoteRecord.query.order(by: "updatedAt", .descending).limit(count)
        return try store.read { try $0.fetch(query) }
    }
}
