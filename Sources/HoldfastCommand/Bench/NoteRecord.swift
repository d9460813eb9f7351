import Holdfast
import HoldfastTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The record of the typed figures: a note of seven fields and about 280 bytes.
struct NoteRecord: Record, Equatable {
    static let table: TableName = "notes"
    static let indexes = [Index("updatedAt"), Index("isPinned", "updatedAt")]

    var id = RecordID.make()
    var title = ""
    var body = ""
    var updatedAt = Date.now
    var version = 0
    var isPinned = false
    var isArchived = false
}

/// The notes of one store: each follows from its number.
struct NoteSource: Sendable {
    /// How the ids are made.
    enum IDs: Sendable {
        /// In random order, as version 4 of a UUID makes them.
        case random
        /// In the order of time, as `RecordID.make()` makes them.
        case ordered
    }

    private static let body = String(
        "The flour, the water and the salt rest for an hour before the starter comes in. ".prefix(
            80
        )
    )

    let ids: [RecordID]
    private let order: IDs

    init(count: Int, ids: IDs) throws {
        order = ids
        var random = SplitMix64(7)
        self.ids = try (0..<count).map { number in
            let high = ids == .random ? random.next() : UInt64(number) << 20 | 0x7000
            return try RecordID(Self.text(high, random.next()))
        }
    }

    subscript(number: Int) -> NoteRecord {
        var random = SplitMix64(seed: UInt64(truncatingIfNeeded: number))
        let draw = Double(random.next() % 100_000_000_000) / 1_000
        let seconds = order == .random ? draw : Double(number)
        return NoteRecord(
            id: ids[number],
            title: "Bread, batch \(number % 1_000_000 + 1_000_000)",
            body: Self.body + Self.body + Self.body.prefix(40),
            updatedAt: Date(timeIntervalSinceReferenceDate: 600_000_000 + seconds),
            version: number % 300,
            isPinned: number % 20 == 0,
            isArchived: number % 7 == 0
        )
    }

    private static func text(_ high: UInt64, _ low: UInt64) -> String {
        var text: [UInt8] = []
        for place in 0..<32 {
            if place == 8 || place == 12 || place == 16 || place == 20 {
                text.append(UInt8(ascii: "-"))
            }
            let word = place < 16 ? high : low
            let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (place & 15))) & 15
            text.append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
        }
        return String(decoding: text, as: UTF8.self)
    }
}
