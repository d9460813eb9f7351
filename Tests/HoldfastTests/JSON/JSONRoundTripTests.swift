import Holdfast
import Testing

@Suite("JSON round trips")
struct JSONRoundTripTests {
    @Test(arguments: [
        ("1.0", "1.0"), ("-0", "-0.0"), ("-0.0", "-0.0"), ("1e300", "1e300"), ("1E2", "100.0"),
        ("5e-324", "5e-324"), ("1e-7", "1e-7"),
        ("1.7976931348623157e+308", "1.7976931348623157e308"),
        ("-1.5E-010", "-1.5e-10"), ("1e100", "1e100"), ("0.1000", "0.1"), ("1e16", "1e16"),
        ("12", "12"), ("-7", "-7"),
        (#""\/\u002f\u0041""#, #""//A""#), (#""\u001F\u007f""#, "\"\\u001f\u{7F}\""),
        (#""\u0008\u0009\u000a\u000c\u000d""#, #""\b\t\n\f\r""#), (#""\u2028""#, "\"\u{2028}\""),
        (#"{ "b" : [ 1 , { } ] , "a" : [ ] }"#, #"{"b":[1,{}],"a":[]}"#),
    ])
    func writtenTextIsCompactAndMinimal(_ text: String, _ expected: String) throws {
        let written = try JSONValue(parsing: text).serialized()
        #expect(String(validating: written, as: UTF8.self) == expected)
    }

    @Test
    func prettyTextHasAnIndentedLineForEachField() throws {
        let value: JSONValue = ["a": [1, ["b": .null]], "c": [], "d": [:]]
        let expected = """
            {
              "a": [
                1,
                {
                  "b": null
                }
              ],
              "c": [],
              "d": {}
            }
            """
        #expect(String(validating: try value.serialized(pretty: true), as: UTF8.self) == expected)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func aNumberThatJSONCannotHoldIsRefused(_ double: Double) {
        let error = #expect(throws: JSONError.self) {
            try JSONValue.object(["a": [.double(double)]]).serialized()
        }
        #expect(error?.kind == .numberOutOfRange)
    }

    @Test
    func aValueNestedDeeperThanTheLimitIsRefused() throws {
        var value: JSONValue = 1
        for _ in 0..<JSONValue.nestingLimit { value = [value] }
        #expect(try JSONValue(parsing: value.serialized()) == value)
        let error = #expect(throws: JSONError.self) { try JSONValue.array([value]).serialized() }
        #expect(error?.kind == .nestingTooDeep)
    }

    @Test
    func anObjectDoesNotCountAsNesting() throws {
        var value: JSONValue = 1
        for _ in 0..<JSONValue.nestingLimit { value = ["a": value] }
        let deepest: JSONObject = ["a": value]
        #expect(try JSONObject(parsing: deepest.serialized()) == deepest)
        #expect(try JSONObject(parsing: deepest.serialized(pretty: true)) == deepest)
        let around: JSONObject = ["a": .object(deepest)]
        let text = try around.serializedAroundRecords()
        let written = #expect(throws: JSONError.self) { try around.serialized() }
        let read = #expect(throws: JSONError.self) { try JSONObject(parsing: text) }
        #expect(written?.kind == .nestingTooDeep)
        #expect(read?.kind == .nestingTooDeep)
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func everyDoubleReadsBackTheSame(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let double = Double(bitPattern: generator.next())
            guard double.isFinite else { continue }
            let text = try JSONValue.double(double).serialized()
            #expect(try JSONValue(parsing: text) == .double(double), "seed \(seed)")
            #expect(!text.contains(UInt8(ascii: "+")), "seed \(seed)")
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func everyValueReadsBackEqualAndKeepsItsFieldOrder(seed: UInt64) throws {
        var samples = JSONSamples(seed: seed)
        for _ in 0..<40 {
            let value = samples.value()
            let text = try value.serialized()
            let read = try JSONValue(parsing: text)
            #expect(read == value, "seed \(seed)")
            #expect(read.hashValue == value.hashValue, "seed \(seed)")
            #expect(try read.serialized() == text, "seed \(seed)")
            #expect(try JSONValue(parsing: value.serialized(pretty: true)) == value, "seed \(seed)")
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func mutatedTextIsRefusedOrReadsBackEqual(seed: UInt64) throws {
        var samples = JSONSamples(seed: seed)
        for _ in 0..<40 {
            var text = try samples.value().serialized()
            for _ in 0..<20 {
                mutate(&text, using: &samples.generator)
                guard let value = try? JSONValue(parsing: text) else { continue }
                #expect(
                    try JSONValue(parsing: value.serialized()) == value,
                    "seed \(seed): \(text)"
                )
            }
        }
    }

    private func mutate(_ text: inout [UInt8], using generator: inout SeededGenerator) {
        let alphabet = Array("{}[]\",:\\/0123456789.-+eEtrufalsn \n\u{7F}\u{E9}".utf8) + [0, 0xFF]
        let position = Int.random(in: 0...text.count, using: &generator)
        let byte = alphabet.randomElement(using: &generator)!
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: text.insert(byte, at: position)
        case 1 where position < text.count: text[position] = byte
        case 2 where position < text.count: text.remove(at: position)
        default:
            let end = Int.random(in: position...text.count, using: &generator)
            text.insert(contentsOf: text[position..<min(end, position + 9)], at: position)
        }
    }
}
