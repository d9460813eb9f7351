import HoldfastStorage

/// Holdfast at the level of its engine: bytes under keys, with an index that it derives itself.
final class HoldfastEngine: Engine {
    typealias Row = Note
    typealias Key = [UInt8]

    private static let index = "updatedAt"

    private let storage: JournalStorage

    init(at path: String) async throws {
        storage = try await JournalStorage.open(at: path)
        let index = IndexDefinition(name: Self.index, version: 1) { _, value, emit in
            guard value.byteCount >= Note.dateBytes else { return }
            emit(value.extracting(first: Note.dateBytes))
        }
        try await storage.setIndexes([index])
    }

    func insert(_ rows: [Note]) async throws {
        _ = try await storage.write(.synced) { transaction in
            for row in rows {
                try transaction.put(unsafe row.value.span.bytes, for: unsafe row.key.span.bytes)
            }
        }
    }

    func update(_ rows: [Note]) async throws { try await insert(rows) }

    func read(_ keys: [[UInt8]], into tally: inout Tally) throws {
        let snapshot = try storage.snapshot()
        for key in keys {
            guard let value = try snapshot.value(for: unsafe key.span.bytes) else { continue }
            tally.add(unsafe value.span.bytes)
        }
    }

    func newest(_ count: Int, into tally: inout Tally) throws {
        var left = count
        let snapshot = try storage.snapshot()
        try snapshot.scanIndexValues(Self.index, .all, .backward, expecting: count) {
            (_, _, value) in
            tally.add(value)
            left -= 1
            return left > 0
        }
    }

    func range(from key: [UInt8], _ count: Int, into tally: inout Tally) throws {
        var left = count
        try storage.snapshot().scan(KeyRange(from: key), .forward) { _, value in
            tally.add(value)
            left -= 1
            return left > 0
        }
    }

    func scan(into tally: inout Tally) throws {
        try storage.snapshot().scanUnordered(.all) { _, value in
            tally.add(value)
            return true
        }
    }

    func value(of key: [UInt8]) throws -> [UInt8]? { try storage.snapshot().value(for: key) }

    func newestKeys(_ count: Int) throws -> [[UInt8]] {
        var keys: [[UInt8]] = []
        try storage.snapshot().scanIndex(Self.index, .all, .backward) { _, key in
            keys.append(Array(copying: key))
            return keys.count < count
        }
        return keys
    }

    func close() async throws { try await storage.close() }

    func remarks() throws -> [String] { try storage.statistics().remarks }
}
