import Holdfast
import Testing

@Suite("JSON values")
struct JSONValueTests {
    /// In the order of queries; values in one row are the same.
    static let ordered: [[JSONValue]] = [
        [.null], [false], [true],
        [.double(-.greatestFiniteMagnitude)], [.double((-0x1p63).nextDown)],
        [.integer(.min), .double(-0x1p63)], [.integer(.min + 1)],
        [-9_007_199_254_740_993], [-9_007_199_254_740_992, -9_007_199_254_740_992.0],
        [-2], [-1.5], [-1, -1.0], [.double(-.leastNonzeroMagnitude)],
        [0, 0.0, .double(-0.0)], [.double(.leastNonzeroMagnitude)], [0.5], [1, 1.0], [1.5], [2],
        [9_007_199_254_740_991], [9_007_199_254_740_992, 9_007_199_254_740_992.0],
        [9_007_199_254_740_993], [9_007_199_254_740_994, 9_007_199_254_740_994.0],
        [.double(0x1p63.nextDown), .integer(Int64.max - 1023)], [.integer(.max - 1022)],
        [.integer(.max)], [.double(0x1p63)], [1e300],
        [""], ["\0"], ["\0\0"], ["\0a"], ["\u{1}"], ["\u{1}\u{1}"], ["A"], ["a"], ["a\0"], ["ab"],
        ["e\u{301}"], ["\u{7F}"], ["\u{E9}"], ["\u{FFFF}"], ["\u{1F600}"],
        [[]], [[.null]], [[.null, .null]], [[1, 2], [1.0, 2]], [[1, 2, .null]], [["a"]],
        [["a", 1]],
        [["b"]],
        [[[]]], [[[:]]], [[:]], [["a": 1]], [["b": 2, "a": 1], ["a": 1.0, "b": 2]], [["a": 2]],
        [["b": .null]],
    ]

    @Test
    func orderIsTotalAndExactAcrossKinds() {
        for (rank, row) in Self.ordered.enumerated() {
            for (otherRank, otherRow) in Self.ordered.enumerated() {
                for value in row {
                    for other in otherRow {
                        #expect(
                            value.order(to: other) == ValueOrder(rank, otherRank),
                            "\(value) \(other)"
                        )
                        #expect(value.precedes(other) == (rank < otherRank))
                    }
                }
            }
        }
    }

    @Test
    func equalMeansStoredAlike() {
        #expect(JSONValue.integer(1) != 1.0)
        #expect(JSONValue.double(0.0) != .double(-0.0))
        #expect(JSONValue.string("\u{E9}") != "e\u{301}")
        #expect(JSONValue.array([1, 2]) != [2, 1])
        #expect(JSONValue.object(["a": 1, "b": [2]]) == ["b": [2], "a": 1])
        #expect(JSONValue.object(["a": 1]) != ["a": 1, "b": .null])
        #expect(Set<JSONValue>([["a": 1, "b": 2], ["b": 2, "a": 1], 1, 1.0]).count == 3)
    }

    @Test
    func fieldsKeepTheirPlaces() {
        var object: JSONObject = ["b": 1, "a": 2, "b": 3]
        #expect(object.map(\.name) == ["b", "a"])
        #expect(object["b"] == 3)
        object["b"] = 4
        object["c"] = nil
        object["d"] = .null
        #expect(object.map(\.name) == ["b", "a", "d"])
        #expect(object["d"] == .null)
        object["b"] = nil
        object["b"] = 5
        #expect(object.map(\.name) == ["a", "d", "b"])
        #expect(object.removeValue(named: "x") == nil)
        #expect(object.removeValue(named: "a") == 2)
        #expect(object == ["b": 5, "d": .null])
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func objectsBehaveAsAListOfPairs(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var object = JSONObject()
        var model: [(name: String, value: JSONValue)] = []
        for step in 0..<400 {
            let name = "n\(Int.random(in: 0..<40, using: &generator))"
            let position = model.firstIndex { $0.name == name }
            if Int.random(in: 0..<3, using: &generator) == 0 {
                object[name] = nil
                if let position { model.remove(at: position) }
            } else {
                object[name] = .integer(Int64(step))
                if let position {
                    model[position].value = .integer(Int64(step))
                } else {
                    model.append((name, .integer(Int64(step))))
                }
            }
            #expect(object.elementsEqual(model) { $0 == $1 }, "seed \(seed) step \(step)")
            let shuffled = JSONObject(model.shuffled(using: &generator))
            #expect(shuffled == object && shuffled.hashValue == object.hashValue, "seed \(seed)")
        }
    }
}
