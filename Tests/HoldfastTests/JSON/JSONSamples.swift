import Holdfast

/// Random values, weighted towards what is hard.
struct JSONSamples {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func value(depth: Int = 0) -> JSONValue {
        switch Int.random(in: 0..<(depth < 4 ? 12 : 9), using: &generator) {
        case 0: .null
        case 1: .bool(.random(using: &generator))
        case 2, 3: .integer(integer())
        case 4, 5: .double(double())
        case 6...8: .string(text())
        case 9: .array((0..<size()).map { _ in value(depth: depth + 1) })
        default: .object(object(depth: depth + 1))
        }
    }

    mutating func object(depth: Int = 0) -> JSONObject {
        JSONObject((0..<size()).map { _ in (name: name(), value: value(depth: depth)) })
    }

    mutating func integer() -> Int64 {
        let bits = Int64(bitPattern: generator.next())
        return bits >> Int64.random(in: 0..<64, using: &generator)
    }

    mutating func double() -> Double {
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: return [0.0, -0.0, 1.0, -1.0, 0.1, 1e22, 1e23].randomElement(using: &generator)!
        case 1: return Double(integer())
        case 2: return Double(integer() % 1_000_000) / 1000
        default:
            let double = Double(bitPattern: generator.next())
            return double.isFinite ? double : 0.5
        }
    }

    mutating func text() -> String {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: return "0190a5c4-7e2f-7d3a-8b1c-0242ac120002"
        case 1: return "2026-11-30T12:30:03.123456789Z"
        case 2: return String(repeating: "x", count: Int.random(in: 0..<300, using: &generator))
        default:
            return String((0..<Int.random(in: 0..<20, using: &generator)).map { _ in character() })
        }
    }

    private mutating func name() -> String {
        Bool.random(using: &generator) ? text() : "f\(Int.random(in: 0..<40, using: &generator))"
    }

    private mutating func character() -> Character {
        let samples: [Character] = [
            "a", "z", " ", "\"", "\\", "/", "\n", "\0", "\u{1}", "\u{1F}", "\u{7F}", "\u{E9}", "e",
            "\u{301}", "\u{20AC}", "\u{2028}", "\u{1F600}", "\u{FFFF}", "\u{10FFFF}", "-", "0",
        ]
        return samples.randomElement(using: &generator)!
    }

    private mutating func size() -> Int {
        Int.random(
            in: 0..<(Int.random(in: 0..<20, using: &generator) == 0 ? 40 : 5),
            using: &generator
        )
    }
}
