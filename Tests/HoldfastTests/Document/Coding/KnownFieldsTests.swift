import Foundation
import Holdfast
import Testing

@Suite("Known fields")
struct KnownFieldsTests {
    struct Optionals: Codable {
        var a: Bool?
        var b: String?
        var c: Double?
        var d: Float?
        var e: Int?
        var f: Int8?
        var g: UInt64?
        var h: Int128?
        var i: Date?
        var j: [Optionals]?
        var k: UInt128?
    }

    @Test
    func fieldsThatAreNilAreNamedAsOmitted() throws {
        let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"]
        let encoded = try DocumentEncoder.encode(Optionals())
        #expect(encoded.omittedFields == names)
        #expect(try Document.decode(encoded.bytes) == [:])
        let some = try DocumentEncoder.encode(Optionals(e: 1, j: [Optionals()]))
        #expect(some.omittedFields == names.filter { $0 != "e" && $0 != "j" })
        #expect(try Document.decode(some.bytes) == ["e": 1, "j": [[:]]])
    }

    @Test
    func fieldsThatAreAskedForAreKnown() throws {
        let document = try Document.encode(["a": true, "j": [["x": 1]], "y": 2])
        let known = KnownFields(askedBy: Optionals.self, in: document)
        for name in ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"] {
            #expect(known.contains(name))
        }
        #expect(!known.contains("x") && !known.contains("y"))
    }

    @Test
    func optionalsAreNilWhereMissingOrNull() throws {
        let document = try Document.encode(["a": .null, "e": .null, "h": .null, "i": .null])
        let value = try DocumentDecoder.decode(Optionals.self, from: document)
        #expect(value.a == nil && value.e == nil && value.h == nil && value.i == nil)
    }
}
