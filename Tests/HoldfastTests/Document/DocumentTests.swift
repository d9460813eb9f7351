import Holdfast
import Testing

@Suite("Documents")
struct DocumentTests {
    /// The worked example of FORMAT.md.
    @Test
    func theWorkedExampleHasTheseBytes() throws {
        let object = try JSONObject(
            parsing: """
                {"id":"0190a5c4-7e2f-7d3a-8b1c-0242ac120002","n":-2,"big":70000,"x":1.0,\
                "at":"2026-11-30T12:30:03.123Z","tags":["a",null],"o":{}}
                """
        )
        let bytes = Hex.bytes(
            """
            01 026964 0b0190a5c47e2f7d3a8b1c0242ac120002 016e 03fe 03626967 0570110100 0178
            07000000000000f03f 026174 0dc002e60c81d2ec18 0474616773 09030000008161 00 016f
            0a00000000
            """
        )
        #expect(try Document.encode(object) == bytes)
        #expect(try Document.decode(bytes) == object)
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func everyObjectComesBackWithItsFieldsInOrder(seed: UInt64) throws {
        var samples = JSONSamples(seed: seed)
        for _ in 0..<40 {
            let object = samples.object()
            let document = try Document.encode(object)
            let decoded = try Document.decode(document)
            #expect(decoded == object, "seed \(seed)")
            #expect(decoded.map(\.name) == object.map(\.name), "seed \(seed)")
            for (name, value) in object {
                #expect(try DocumentAccess.value(of: name, in: document) == value, "seed \(seed)")
            }
            #expect(try DocumentAccess.value(of: "no such field", in: document) == nil)
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func aFieldIsOrderedWithoutDecodingAsItsValueIs(seed: UInt64) throws {
        var samples = JSONSamples(seed: seed)
        for _ in 0..<60 {
            let (value, other) = (samples.value(), samples.value())
            let document = try Document.encode(["before": samples.value(), "a": value])
            for other in [other, value, .null] {
                let order = try DocumentAccess.order(of: "a", in: document, to: other)
                #expect(order == value.order(to: other), "seed \(seed)")
            }
            #expect(try DocumentAccess.order(of: "b", in: document, to: .null) == .same)
            #expect(try DocumentAccess.order(of: "b", in: document, to: false) == .before)
        }
    }

    @Test(arguments: [
        (0, 1), (63, 1), (64, 2), (-1, 2), (-128, 2), (127, 2), (128, 3), (-129, 3), (32_767, 3),
        (32_768, 5), (-32_769, 5), (2_147_483_647, 5), (2_147_483_648, 9), (-2_147_483_649, 9),
        (Int64.max, 9), (Int64.min, 9),
    ])
    func integersTakeAsFewBytesAsTheyNeed(integer: Int64, size: Int) throws {
        let document = try Document.encode(["": .integer(integer)])
        #expect(document.count == 2 + size)
        #expect(try Document.decode(document)[""] == .integer(integer))
    }

    @Test(arguments: [0, 1, 126, 127, 128, 254, 255, 256, 70_000])
    func namesAndTextsOfEveryLengthComeBack(length: Int) throws {
        let text = String(repeating: "x", count: length)
        let object: JSONObject = [text: .string(text), "after": 1]
        let document = try Document.encode(object)
        #expect(try Document.decode(document) == object)
        #expect(try DocumentAccess.value(of: "after", in: document) == 1)
    }

    @Test
    func nestingIsBoundedWhenWritten() throws {
        var value: JSONValue = 1
        for _ in 0..<JSONValue.nestingLimit { value = [value] }
        #expect(try Document.decode(Document.encode(["a": value]))["a"] == value)
        let error = #expect(throws: JSONError.self) { try Document.encode(["a": [value]]) }
        #expect(error?.kind == .nestingTooDeep)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func aNumberThatIsNotFiniteIsRefused(_ double: Double) {
        let error = #expect(throws: JSONError.self) {
            try Document.encode(["a": [.double(double)]])
        }
        #expect(error?.kind == .numberOutOfRange)
    }
}
