import Holdfast
import Testing

@Suite("Packed texts")
struct PackedTextTests {
    private func size(of text: String) throws -> Int {
        try Document.encode(["": .string(text)]).count - 3
    }

    @Test(arguments: [
        ("0190a5c4-7e2f-7d3a-8b1c-0242ac120002", 16), ("00000000-0000-0000-0000-000000000000", 16),
        ("ffffffff-ffff-ffff-ffff-ffffffffffff", 16), ("2026-11-30T12:30:03Z", 8),
        ("2026-11-30T12:30:03.000Z", 8), ("2026-11-30T12:30:03.999999Z", 8),
        ("1970-01-01T00:00:00.000000000Z", 8), ("1969-12-31T23:59:59.999999999Z", 8),
        ("1678-01-01T00:00:00.000Z", 8), ("2261-12-31T23:59:59.999999999Z", 8),
        ("2024-02-29T00:00:00Z", 8), ("2000-02-29T23:59:59Z", 8),
        ("2262-04-11T23:47:16.854775807Z", 8), ("1677-09-21T00:12:44.000000000Z", 8),
    ])
    func canonicalTextsTakeFewBytesAndComeBack(text: String, size: Int) throws {
        #expect(try self.size(of: text) == size)
        #expect(try Document.decode(Document.encode(["a": .string(text)]))["a"] == .string(text))
    }

    @Test(arguments: [
        "0190A5C4-7E2F-7D3A-8B1C-0242AC120002", "0190a5c4-7e2f-7d3a-8b1c-0242ac12000g",
        "0190a5c4-7e2f-7d3a-8b1c_0242ac120002", "0190a5c47-e2f-7d3a-8b1c-0242ac120002",
        "2026-11-30t12:30:03Z", "2026-11-30T12:30:03z", "2026-11-30 12:30:03Z",
        "2026-11-30T12:30:60Z", "2026-11-30T24:00:00Z", "2026-11-30T12:60:00Z",
        "2026-02-29T12:30:03Z", "2026-13-01T12:30:03Z", "2026-00-01T12:30:03Z",
        "2026-11-31T12:30:03Z", "2026-11-00T12:30:03Z", "1900-02-29T12:30:03Z",
        "2026-11-30T12:30:03+00:00", "2026-11-30T12:30:03.1Z", "2026-11-30T12:30:03,123Z",
        "2026-11-30T12:30:03.12aZ", "2026-11-30T12:30:0 Z", "+026-11-30T12:30:03Z",
        "2263-01-01T00:00:00Z", "1677-01-01T00:00:00Z", "0000-01-01T00:00:00Z",
        "9999-12-31T23:59:59.999999999Z", "2262-04-11T23:47:16.854775808Z",
        "1677-09-21T00:12:43.145224192Z", "2026-11-30T12:30:03.123456789z",
    ])
    func allOtherTextsStayAsTheyAre(text: String) throws {
        #expect(try size(of: text) >= text.utf8.count)
        #expect(try Document.decode(Document.encode(["a": .string(text)]))["a"] == .string(text))
    }

    @Test
    func everyDayOfFourCenturiesComesBack() throws {
        for day in stride(from: -106_000, to: 106_000, by: 37) {
            var samples = SeededGenerator(seed: UInt64(bitPattern: Int64(day)))
            let second = Int.random(in: 0..<86_400, using: &samples)
            let nanosecond = Int64(day * 86_400 + second) * 1_000_000_000
            let packed: [UInt8] =
                [1, 0, 0x0F] + (0..<8).map { UInt8(truncatingIfNeeded: nanosecond >> ($0 * 8)) }
            let object = try Document.decode(packed)
            #expect(try Document.encode(object) == packed, "day \(day)")
        }
    }
}
