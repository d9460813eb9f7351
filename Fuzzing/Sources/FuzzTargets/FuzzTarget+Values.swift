import Holdfast
import HoldfastStorage

extension FuzzTarget {
    private static let samples: [JSONObject] = [
        [:],
        [
            "id": "0190a5c4-7e2f-7d3a-8b1c-0242ac120002", "n": -2, "big": 70_000, "x": 1.5,
            "at": "2026-11-30T12:30:03.123Z", "tags": ["a", .null, true], "o": [:],
        ],
        ["text": .string(String(repeating: "Brot und Käse ", count: 20)), "deep": [[[["x"]]]]],
        ["id": 9_007_199_254_740_993, "zero": -0.0, "most": 1e308, "least": 1e-300, "\u{0}": "\n"],
    ]

    /// JSON that is read is written so that it reads back as the same.
    static let json = FuzzTarget("json", seeds: samples.compactMap { try? $0.serialized() }) {
        bytes in
        guard let value = try? JSONValue(parsing: bytes) else { return }
        for isPretty in [false, true] {
            let again = try JSONValue(parsing: value.serialized(pretty: isPretty))
            guard again == value else { throw FuzzFailure("it reads back as another value") }
        }
    }

    /// A stored document is read as a value that is stored and read as the same, or is an error.
    static func document() async throws -> FuzzTarget {
        var seeds: [[UInt8]] = []
        for sample in samples { seeds.append(try await stored(sample)) }
        return FuzzTarget("document", seeds: seeds) { bytes in
            guard let record = try await read(bytes) else { return }
            guard try await read(stored(record)) == record else {
                throw FuzzFailure("it reads back as another record")
            }
        }
    }

    private static let key = Array("notes\u{0}a".utf8)

    /// The bytes that the engine stores for a record.
    private static func stored(_ record: JSONObject) async throws -> [UInt8] {
        let storage = MemoryStorage()
        let store = try await Store(storage: storage)
        try await store.write { transaction in
            var record = record
            record["id"] = "a"
            try transaction.put(record, in: "notes")
        }
        return try storage.snapshot().value(for: key) ?? []
    }

    /// The record that a store makes of bytes; `nil` where it names them damaged.
    private static func read(_ bytes: [UInt8]) async throws -> JSONObject? {
        let storage = MemoryStorage()
        _ = try await storage.write(.buffered) { try $0.put(bytes, for: key) }
        let store = try await Store(storage: storage)
        do {
            let record = try store.read { try $0.get("a", in: "notes") }
            _ = try store.read { try $0.fetch(Query("notes").where("n", .isGreater, 0)) }
            guard var record else { throw FuzzFailure("the record is gone") }
            record["id"] = "a"
            return record
        } catch let error as StoreError {
            guard error.code == .corruption else { throw error }
            return nil
        }
    }
}
