import Holdfast
import Testing

@Suite("JSON parser")
struct JSONParserTests {
    @Test(arguments: JSONCases.accepted)
    func validTextBecomesItsValue(_ text: String, _ value: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == value)
    }

    @Test(arguments: JSONCases.refused)
    func invalidTextIsRefusedWithItsKindAndOffset(
        _ text: String,
        _ kind: JSONError.Kind,
        _ offset: Int
    ) {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
        #expect(error?.kind == kind, "\(String(describing: error))")
        #expect(error?.offset == offset, "\(String(describing: error))")
    }

    @Test(arguments: JSONCases.invalidUTF8)
    func bytesThatAreNotUTF8AreRefused(_ bytes: [UInt8], _ offset: Int) {
        let text = [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
        #expect(error?.kind == .invalidUTF8)
        #expect(error?.offset == offset + 1)
    }

    @Test
    func everyPrefixOfAValidTextIsRefused() {
        let text = Array(#"{"a":[1,-2.5e+3,"x\ud83d\ude00y",{"b":null}],"c":true}"#.utf8)
        for count in 0..<text.count {
            let error = #expect(throws: JSONError.self) {
                try JSONValue(parsing: Array(text[..<count]))
            }
            #expect(error?.kind == .unexpectedEnd, "cut at \(count)")
            #expect(error?.offset == count, "cut at \(count)")
        }
    }

    @Test
    func messagesSayWhatWasExpectedAndWhere() {
        let error = #expect(throws: JSONError.self) {
            try JSONValue(parsing: #"{"title":"a","b" 1}"#)
        }
        #expect(error?.description == "expected ':' after a field name, at byte 17")
    }

    @Test
    func aTextThatIsNotAnObjectIsNoObject() {
        let error = #expect(throws: JSONError.self) { try JSONObject(parsing: "[1]") }
        #expect(error?.kind == .notAnObject)
    }

    @Test
    func nestingIsBoundedExactly() throws {
        let limit = JSONValue.nestingLimit
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            func nested(_ depth: Int) -> String {
                String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
            }
            _ = try JSONValue(parsing: nested(limit))
            let error = #expect(throws: JSONError.self) {
                try JSONValue(parsing: nested(limit + 1))
            }
            #expect(error?.kind == .nestingTooDeep)
            #expect(error?.offset == limit * open.utf8.count)
        }
    }

    @Test
    func aHundredThousandOpenBracketsAreAnErrorAndNoCrash() {
        let error = #expect(throws: JSONError.self) {
            try JSONValue(parsing: [UInt8](repeating: UInt8(ascii: "["), count: 100_000))
        }
        #expect(error?.kind == .nestingTooDeep)
    }

    @Test
    func manyFieldsAreReadInTimeThatGrowsWithTheirNumber() throws {
        let names = (0..<20_000).map { "field\($0)" }
        let text = "{" + names.map { "\"\($0)\":0" }.joined(separator: ",")
        #expect(try JSONObject(parsing: text + "}").map(\.name) == names)
        let error = #expect(throws: JSONError.self) {
            try JSONObject(parsing: text + ",\"field7\":0}")
        }
        #expect(error?.kind == .duplicateName)
    }

    @Test
    func longNumbersAreRoundedCorrectly() throws {
        let digits = String(repeating: "3", count: 50_000)
        #expect(try JSONValue(parsing: "0." + digits) == .double(1.0 / 3))
        #expect(try JSONValue(parsing: "1" + digits + "e-50000") == .double(4.0 / 3))
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: digits + ".0") }
        #expect(error?.kind == .numberOutOfRange)
    }
}
