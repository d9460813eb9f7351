import HoldfastTesting

/// All notes of a run: each follows from the seed, its number and how often it was updated.
///
/// Ids are in random order, as version 4 of a UUID makes them. Bodies are random letters, so that an
/// engine that compresses gains little.
struct NoteSource: Sendable {
    private static let letters = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789. ".utf8
    )
    private static let digits = Array("0123456789abcdef".utf8)
    private static let firstDate: Int64 = 1_500_000_000_000
    private static let dates = 300_000_000_000

    let seed: UInt64

    /// The id of a note.
    func key(_ number: Int) -> [UInt8] {
        var random = generator(number, 0)
        let words = (random.next(), random.next())
        var key: [UInt8] = []
        key.reserveCapacity(36)
        for place in 0..<32 {
            if place == 8 || place == 12 || place == 16 || place == 20 {
                key.append(UInt8(ascii: "-"))
            }
            let word = place < 16 ? words.0 : words.1
            let digit = place == 12 ? 4 : Int(word >> UInt64(60 - 4 * (place & 15)) & 15)
            key.append(Self.digits[digit])
        }
        return key
    }

    /// The date of a note after so many updates.
    func date(_ number: Int, revision: UInt32) -> Int64 {
        var random = generator(number, 1 + UInt64(revision))
        return Self.firstDate + Int64(random.next(below: Self.dates))
    }

    /// A note after so many updates.
    func note(_ number: Int, revision: UInt32 = 0) -> Note {
        var random = generator(number, 1 + UInt64(revision))
        let updatedAt = Self.firstDate + Int64(random.next(below: Self.dates))
        var body: [UInt8] = []
        body.reserveCapacity(Note.body.count)
        while body.count < Note.body.count {
            var word = random.next()
            for _ in 0..<8 {
                body.append(Self.letters[Int(word & 63)])
                word >>= 6
            }
        }
        let fields = NoteFields(
            updatedAt: updatedAt,
            version: Int64(revision),
            isPinned: number % 20 == 0,
            isArchived: number % 7 == 0,
            title: Array("Bread, batch \(number % 1_000_000 + 1_000_000)".utf8),
            body: body
        )
        return Note(key: key(number), fields: fields)
    }

    private func generator(_ number: Int, _ part: UInt64) -> SplitMix64 {
        var mixed = SplitMix64(seed: seed ^ UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9)
        return SplitMix64(seed: mixed.next() &+ part &* 0xD1B5_4A32_D192_ED03)
    }
}
