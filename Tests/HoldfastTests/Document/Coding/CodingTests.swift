import Foundation
import Holdfast
import Testing

@Suite("Coding")
struct CodingTests {
    private func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
        try DocumentDecoder.decode(Value.self, from: DocumentEncoder.encode(value).bytes)
    }

    private func json(_ value: some Encodable) throws -> String {
        let object = try Document.decode(DocumentEncoder.encode(value).bytes)
        return String(decoding: try object.serialized(), as: UTF8.self)
    }

    @Test
    func aRecordReadsAsPeopleExpect() throws {
        var note = SampleNote(body: "", version: 1)
        note.isDone = nil
        #expect(
            try json(note) == """
                {"id":"0190a5c4-7e2f-7d3a-8b1c-0242ac120002","title":"Bread","body":"",\
                "updatedAt":"2026-11-30T12:30:03.123000000Z","version":1,"isPinned":false}
                """
        )
    }

    @Test
    func everyKindOfValueComesBack() throws {
        #expect(try roundTrip(SampleNote()) == SampleNote())
        let kinds = SampleKinds()
        let back = try roundTrip(kinds)
        #expect(back == kinds)
        #expect(back.double.sign == .minus)
        #expect(try json(["a": Float(0.1)]) == #"{"a":0.1}"#)
    }

    @Test
    func containersMayBeWrittenInTurns() throws {
        let value = SampleInterleaved(first: [1, 2], second: ["a": 1], last: 7)
        #expect(try roundTrip(value) == value)
        #expect(try json(value) == #"{"first":[1,2],"second":{"a":1},"deep":[[7]],"last":7}"#)
        #expect(try roundTrip(["a": [value, value]]) == ["a": [value, value]])
    }

    @Test
    func superclassesHaveTheirOwnContainer() throws {
        #expect(try json(SampleDog()) == #"{"tricks":["sit"],"super":{"name":"animal"}}"#)
        #expect(try roundTrip(SampleDog()).name == "animal")
    }

    @Test
    func aFieldEncodedTwiceHasTheLaterValue() throws {
        struct Twice: Encodable {
            enum CodingKeys: CodingKey { case a, b, c }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(String(repeating: "x", count: 300), forKey: .a)
                try container.encode([1, 2], forKey: .b)
                var again = encoder.container(keyedBy: CodingKeys.self)
                try again.encode(true, forKey: .a)
                try again.encodeNil(forKey: .c)
                try again.encode([3], forKey: .b)
            }
        }
        #expect(try json(Twice()) == #"{"a":true,"c":null,"b":[3]}"#)
    }

    @Test
    func aValueMayStandForAnother() throws {
        struct Wrapper: Codable, Equatable {
            var value: SampleKinds.Inner

            init(_ value: SampleKinds.Inner) { self.value = value }

            init(from decoder: any Decoder) throws {
                value = try decoder.singleValueContainer().decode(SampleKinds.Inner.self)
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(value)
            }
        }
        let wrapper = Wrapper(.init(name: "a"))
        #expect(try roundTrip(wrapper) == wrapper)
        #expect(try json(["x": wrapper]) == #"{"x":{"name":"a","inner":[]}}"#)
    }

    @Test
    func anErrorThatIsCaughtLeavesNothingBehind() throws {
        struct Careful: Encodable {
            struct Failing: Encodable {
                func encode(to encoder: any Encoder) throws {
                    var container = encoder.container(keyedBy: AnyKey.self)
                    try container.encode(1, forKey: AnyKey("a"))
                    try container.encode([[Double.nan]], forKey: AnyKey("b"))
                }
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyKey.self)
                try? container.encode(Failing(), forKey: AnyKey("x"))
                try? container.encode(Double.infinity, forKey: AnyKey("y"))
                try container.encode(2, forKey: AnyKey("z"))
            }
        }
        #expect(try json(Careful()) == #"{"z":2}"#)
    }

    struct Flexible: Codable, Equatable {
        var id: RecordID
        var value: JSONValue
        var object: JSONObject
        var list: [JSONValue]
        var none: JSONValue?
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func jsonFieldsOfATypeComeBackExactly(seed: UInt64) throws {
        var samples = JSONSamples(seed: seed)
        for _ in 0..<20 {
            let values = (0..<3).map { _ in samples.value() }
            let flexible = Flexible(
                id: "a",
                value: samples.value(),
                object: samples.object(),
                list: values
            )
            let back = try roundTrip(flexible)
            #expect(back == flexible, "seed \(seed)")
            #expect(back.object.map(\.name) == flexible.object.map(\.name), "seed \(seed)")
            #expect(try roundTrip(flexible.object) == flexible.object, "seed \(seed)")
        }
    }

    @Test
    func jsonValuesAreCodableElsewhereToo() throws {
        let value: JSONValue = ["a": [1, 2.5, "x", true, .null], "b": [:]]
        let data = try JSONEncoder().encode(value)
        #expect(try JSONDecoder().decode(JSONValue.self, from: data) == value)
        #expect(throws: EncodingError.self) {
            try DocumentEncoder.encode(
                Flexible(id: "a", value: .double(.nan), object: [:], list: [])
            )
        }
    }

    @Test
    func anIDMayBeANumber() throws {
        struct Row: Codable { var id: RecordID }
        let document = try Document.encode(["id": 42])
        #expect(try DocumentDecoder.decode(Row.self, from: document).id == RecordID(42))
        #expect(throws: StoreError.self) {
            try DocumentDecoder.decode(Row.self, from: Document.encode(["id": ""]))
        }
        #expect(throws: DecodingError.self) {
            try DocumentDecoder.decode(Row.self, from: Document.encode(["id": 1.5]))
        }
    }

    @Test
    func numbersAreReadAcrossKindsWhereTheyFit() throws {
        struct Numbers: Codable, Equatable {
            var a: Double
            var b: Int
        }
        let document = try Document.encode(["a": 3, "b": 4.0])
        #expect(try DocumentDecoder.decode(Numbers.self, from: document) == Numbers(a: 3, b: 4))
    }
}

/// A key of any name.
struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}
