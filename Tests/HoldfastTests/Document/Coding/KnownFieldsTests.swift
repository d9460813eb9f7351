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

@Suite("Writing back")
struct WritingBackTests {
    struct Note: Codable {
        var id = "1"
        var title: String?
        var tags: [String] = []
    }

    /// Asks for a field that it never writes, and writes one only sometimes.
    struct Custom: Codable {
        enum CodingKeys: CodingKey { case id, legacy, sometimes }

        var writes = false

        init(writes: Bool) { self.writes = writes }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            _ = try container.decodeIfPresent(String.self, forKey: .legacy)
            writes = container.contains(.sometimes)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(1, forKey: .id)
            if writes { try container.encode(true, forKey: .sometimes) }
        }
    }

    private func writeBack(_ value: some Codable, over stored: JSONObject) throws -> [String] {
        let document = try Document.encode(stored)
        let merged = try unsafe DocumentEncoder.encode(
            value,
            keepingUnknownFieldsOf: document.span.bytes
        )
        let object = try Document.decode(merged)
        return try object.map { "\($0)=\(String(decoding: try $1.serialized(), as: UTF8.self))" }
    }

    @Test
    func unknownFieldsStayInTheirPlaces() throws {
        let stored: JSONObject = ["new": [1, ["x": 2]], "id": "1", "title": "a", "other": .null]
        #expect(
            try writeBack(Note(title: "b", tags: ["t"]), over: stored)
                == ["new=[1,{\"x\":2}]", "id=\"1\"", "title=\"b\"", "other=null", "tags=[\"t\"]"]
        )
    }

    @Test
    func knownFieldsThatAreLeftOutGo() throws {
        let stored: JSONObject = ["id": "1", "title": "a", "extra": 1]
        #expect(try writeBack(Note(), over: stored) == ["id=\"1\"", "extra=1", "tags=[]"])
        #expect(try writeBack(Note(), over: ["title": "a"]) == ["id=\"1\"", "tags=[]"])
    }

    @Test
    func fieldsThatAreAskedForAndNotWrittenGo() throws {
        let stored: JSONObject = ["id": 1, "legacy": "x", "sometimes": true, "unknown": 2]
        #expect(try writeBack(Custom(writes: false), over: stored) == ["id=1", "unknown=2"])
        #expect(
            try writeBack(Custom(writes: true), over: stored)
                == ["id=1", "sometimes=true", "unknown=2"]
        )
    }

    @Test
    func aDamagedStoredDocumentIsAnError() {
        let damaged: [UInt8] = [1, 1, 0x61, 0x10]
        #expect(throws: DocumentError.self) {
            try unsafe DocumentEncoder.encode(
                Note(),
                keepingUnknownFieldsOf: damaged.span.bytes
            )
        }
    }
}
