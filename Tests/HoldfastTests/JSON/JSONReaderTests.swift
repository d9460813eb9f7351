import Holdfast
import Testing

@Suite("JSON readers")
struct JSONReaderTests {
    /// Feeds text in chunks of each size and expects the same every time.
    private func lines(_ text: String, chunk: Int, limit: Int = 100) throws -> [String] {
        var reader = JSONLineReader(limit: limit)
        var lines: [String] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            reader.append(rest.prefix(chunk))
            rest = rest.dropFirst(chunk)
            while let line = try reader.next() {
                lines.append("\(line.number):\(String(decoding: line.bytes, as: UTF8.self))")
            }
        }
        reader.finish()
        while let line = try reader.next() {
            lines.append("\(line.number):\(String(decoding: line.bytes, as: UTF8.self))")
        }
        return lines
    }

    @Test(arguments: 1...12)
    func linesDoNotDependOnChunks(chunk: Int) throws {
        #expect(try lines("a\nb\r\n\n \t\r\nc", chunk: chunk) == ["1:a", "2:b", "5:c"])
        #expect(try lines("a\n", chunk: chunk) == ["1:a"])
        #expect(try lines("\n\n", chunk: chunk) == [])
        #expect(try lines("", chunk: chunk) == [])
        #expect(try lines("\u{FEFF}a\n\u{FEFF}b", chunk: chunk) == ["1:a", "2:\u{FEFF}b"])
        #expect(try lines("a\rb\n\r", chunk: chunk) == ["1:a\rb"])
    }

    @Test(arguments: 1...12)
    func aLineAboveTheLimitIsRefusedWithItsNumber(chunk: Int) throws {
        #expect(try lines("12345\n12345", chunk: chunk, limit: 5) == ["1:12345", "2:12345"])
        let error = #expect(throws: JSONError.self) {
            try lines("1\n123456", chunk: chunk, limit: 5)
        }
        #expect(error?.kind == .tooLong)
        #expect(error?.line == 2)
    }

    @Test
    func anErrorInALineSaysWhichLine() throws {
        var reader = JSONLineReader()
        reader.append(Array("{}\n\n{\"a\":tru}\n".utf8))
        #expect(try reader.next()?.object() == [:])
        let line = try #require(try reader.next())
        let error = #expect(throws: JSONError.self) { try line.object() }
        #expect(error?.description == "expected a value, at byte 5 of line 3")
    }

    /// What the array reader returns before its end or error.
    private func elements(
        _ text: String,
        chunk: Int,
        limit: Int = 100
    ) -> ([JSONValue], JSONError?) {
        var reader = JSONArrayReader(limit: limit)
        var elements: [JSONValue] = []
        var rest = Array(text.utf8)[...]
        do {
            while !rest.isEmpty {
                reader.append(rest.prefix(chunk))
                rest = rest.dropFirst(chunk)
                while let element = try reader.next() { elements.append(element) }
            }
            reader.finish()
            while let element = try reader.next() { elements.append(element) }
        } catch {
            return (elements, error)
        }
        return (elements, nil)
    }

    @Test(
        arguments: 1...9,
        [
            "[]", " [ ] ", "[1]", "[1,2 , 3]\n", "[[],{},\"],[\\\"\"]",
            "[{\"a\":[1,{\"b\":\"}\"}]},null]",
            "[\"\\\\\",\"a\"]", "[1.5,-0,true,false]",
        ]
    )
    func streamedElementsAreThoseOfTheWholeText(chunk: Int, text: String) throws {
        let (streamed, error) = elements(text, chunk: chunk)
        #expect(error == nil)
        #expect(try JSONValue(parsing: text) == .array(streamed))
        #expect(elements("\u{FEFF}" + text, chunk: chunk).0 == streamed)
    }

    @Test(
        arguments: 1...9,
        [
            ("", 0, JSONError.Kind.unexpectedEnd, 0), ("  ", 0, .unexpectedEnd, 2),
            ("{}", 0, .syntax, 0), ("[", 0, .unexpectedEnd, 1), ("[1", 0, .unexpectedEnd, 2),
            ("[1,", 1, .unexpectedEnd, 3), ("[1,]", 1, .syntax, 3), ("[,1]", 0, .syntax, 1),
            ("[1 2]", 1, .syntax, 3), ("[1,nul,2]", 1, .syntax, 3), ("[1}]", 1, .syntax, 2),
            ("[1,{\"a\":1]]", 1, .syntax, 9), ("[1]]", 1, .trailingBytes, 3),
            ("[1] 2", 1, .trailingBytes, 4), ("[1,01]", 1, .syntax, 3),
            ("[1,\"\u{1}\"]", 1, .invalidText, 4), ("[\"abc", 0, .unexpectedEnd, 5),
            ("[{} {}]", 1, .syntax, 4), ("[[],{}", 2, .unexpectedEnd, 6),
            ("[[1]}", 1, .syntax, 4), ("[\"a\" ", 1, .unexpectedEnd, 5),
        ]
    )
    func aBrokenArrayGivesWhatIsBeforeTheErrorAndItsOffset(
        chunk: Int,
        broken: (text: String, count: Int, kind: JSONError.Kind, offset: Int)
    ) {
        let (streamed, error) = elements(broken.text, chunk: chunk)
        #expect(streamed.count == broken.count)
        #expect(error?.kind == broken.kind, "\(broken.text)")
        #expect(error?.offset == broken.offset, "\(broken.text)")
    }

    @Test(arguments: 1...9)
    func anElementOfBadContentIsPassedAndBrokenSyntaxIsNot(chunk: Int) throws {
        var reader = JSONArrayReader()
        var rest = Array(#"[{"a":1,"a":1},1e999,["\ud800"],2,01,3]"#.utf8)[...]
        var seen: [String] = []
        while seen.last != "syntax" {
            do {
                if let element = try reader.next() {
                    seen.append(String(decoding: try element.serialized(), as: UTF8.self))
                } else {
                    reader.append(rest.prefix(chunk))
                    rest = rest.dropFirst(chunk)
                    if rest.isEmpty { reader.finish() }
                }
            } catch {
                seen.append("\(error.kind)")
                #expect(reader.canGoOn == (seen.last != "syntax"))
            }
        }
        #expect(seen == ["duplicateName", "numberOutOfRange", "invalidText", "2", "syntax"])
    }

    @Test(arguments: 1...9)
    func anElementAboveTheLimitIsRefused(chunk: Int) {
        let (streamed, error) = elements("[1234,12345]", chunk: chunk, limit: 4)
        #expect(streamed == [1234])
        #expect(error?.kind == .tooLong)
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func randomArraysStreamInRandomChunks(seed: UInt64) throws {
        var samples = JSONSamples(seed: seed)
        for _ in 0..<30 {
            let values = (0..<5).map { _ in samples.value() }
            let text = try JSONValue.array(values).serialized()
            let chunk = Int.random(in: 1...40, using: &samples.generator)
            let streamed = elements(
                String(decoding: text, as: UTF8.self),
                chunk: chunk,
                limit: 99_999
            )
            #expect(streamed.0 == values, "seed \(seed)")
            #expect(streamed.1 == nil, "seed \(seed)")
        }
    }
}
