import Foundation

struct SampleNote: Codable, Equatable {
    var id = UUID(uuidString: "0190a5c4-7e2f-7d3a-8b1c-0242ac120002")!
    var title = "Bread"
    var body = String(repeating: "flour ", count: 30)
    var updatedAt = Date(timeIntervalSinceReferenceDate: 817_734_603.123)
    var version = 17
    var isPinned = false
    var isDone: Bool? = true
}

struct SampleKinds: Codable, Equatable {
    enum Colour: String, Codable { case red, green }
    enum Shape: Codable, Equatable {
        case point
        case circle(radius: Double)
        case line(from: Int, to: Int)
    }
    struct Inner: Codable, Equatable {
        var name: String
        var inner: [Inner] = []
    }

    var int8 = Int8.min
    var int16 = Int16.max
    var int32 = Int32.min
    var int64 = Int64.max
    var uint = UInt(Int64.max)
    var uint8 = UInt8.max
    var uint16 = UInt16.max
    var uint32 = UInt32.max
    var uint64 = UInt64(Int64.max)
    var int128 = Int128(Int64.min)
    var double = -0.0
    var float: Float = 0.1
    var some: String? = "some"
    var none: String?
    var noneOfEach: [Int?] = [nil, 1, nil]
    var colour = Colour.green
    var colours: [String: Colour] = ["a": .red, "b": .green]
    var numbered: [Int: String] = [1: "one", -7: "minus seven"]
    var shapes: [Shape] = [.point, .circle(radius: 1.5), .line(from: 1, to: 2)]
    var inner = Inner(name: "a", inner: [Inner(name: "b", inner: [Inner(name: "c")])])
    var data = Data([0, 1, 2, 0xFF])
    var url = URL(string: "https://example.org/a?b=c")!
    var decimal = Decimal(string: "12345678901234567890.123456789")!
    var dates = [Date.distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: 0)]
    var ids = [UUID(), UUID()]
    var nested: [[Double]] = [[], [1, 2.5], [1e300]]
    var empty: [String: Int] = [:]
    var set: Set<Int> = [1, 2, 3]
    var range = 1..<5
}

/// Writes its containers in turns, and not in the order in which it made them.
struct SampleInterleaved: Codable, Equatable {
    var first: [Int]
    var second: [String: Int]
    var last: Int

    enum CodingKeys: CodingKey { case first, second, last, deep }

    init(first: [Int], second: [String: Int], last: Int) {
        self.first = first
        self.second = second
        self.last = last
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        var array = try container.nestedUnkeyedContainer(forKey: .first)
        var deep = try container.nestedUnkeyedContainer(forKey: .deep)
        var deeper = try deep.nestedUnkeyedContainer()
        first = []
        while !array.isAtEnd { first.append(try array.decode(Int.self)) }
        last = try deeper.decode(Int.self)
        let last = try container.decode(Int.self, forKey: .last)
        guard last == self.last, deeper.isAtEnd, deep.isAtEnd, array.count == first.count else {
            throw CocoaError(.coderInvalidValue)
        }
        second = try [String: Int](from: container.superDecoder(forKey: .second))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        var array = container.nestedUnkeyedContainer(forKey: .first)
        let object = container.superEncoder(forKey: .second)
        var deep = container.nestedUnkeyedContainer(forKey: .deep)
        var deeper = deep.nestedUnkeyedContainer()
        for element in first { try array.encode(element) }
        try container.encode(last, forKey: .last)
        try second.encode(to: object)
        try deeper.encode(last)
    }
}

class SampleAnimal: Codable {
    var name = "animal"
}

final class SampleDog: SampleAnimal {
    var tricks = ["sit"]

    enum CodingKeys: CodingKey { case tricks }

    override init() { super.init() }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        tricks = try container.decode([String].self, forKey: .tricks)
        try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(tricks, forKey: .tricks)
        try super.encode(to: container.superEncoder())
    }
}
