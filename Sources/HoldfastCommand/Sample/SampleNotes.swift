package import Holdfast
import HoldfastTesting

/// Notes of about 280 bytes as JSON, made up from a seed.
package struct SampleNotes: Sendable {
    private static let words = [
        "bread", "flour", "oven", "rye", "salt", "water", "starter", "morning", "garden", "letter",
        "harbour", "train", "window", "paper", "violet", "copper", "river", "winter", "lantern",
        "orchard", "pepper", "market", "candle", "stone", "bridge", "meadow", "saddle", "thunder",
    ]

    private var random: SplitMix64
    private var number = 0
    private let prefix: String

    /// Notes whose ids begin with `prefix`.
    package init(prefix: String, seed: UInt64) {
        self.prefix = prefix
        random = SplitMix64(seed)
    }

    /// The next note.
    package mutating func next() -> JSONObject {
        number += 1
        let day = Int.random(in: 10...28, using: &random)
        return [
            "id": .string("\(prefix)\(String(number + 10_000_000).dropFirst())"),
            "title": .string(text(words: 3)),
            "body": .string(text(words: 18)),
            "tags": .array([.string(word()), .string(word())]),
            "isPinned": .bool(.random(using: &random)),
            "stars": .integer(.random(in: 0...5, using: &random)),
            "updatedAt": .string("2026-03-\(day)T08:15:00.000Z"),
        ]
    }

    private mutating func word() -> String {
        Self.words[Int.random(in: 0..<Self.words.count, using: &random)]
    }

    private mutating func text(words count: Int) -> String {
        (0..<count).map { _ in word() }.joined(separator: " ")
    }
}
