import HoldfastCommand
import Testing

struct CSVTests {
    /// Every row, or the errors among them as `line: message`.
    private func rows(_ text: String, pieces size: Int = 1 << 16) -> [[String]] {
        var reader = CSVRowReader()
        var rows: [[String]] = []
        let bytes = Array(text.utf8)
        var pieces = stride(from: 0, to: bytes.count, by: size).map {
            Array(bytes[$0..<min($0 + size, bytes.count)])
        }
        pieces.append([])
        for piece in pieces {
            reader.append(piece)
            while true {
                do {
                    guard let row = try reader.next() else { break }
                    rows.append(row.fields)
                } catch {
                    rows.append(["\(error.line): \(error.message)"])
                }
            }
        }
        return rows
    }

    static let cases: [(String, [[String]])] = [
        ("", []),
        ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]),
        ("a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]),
        ("a,b", [["a", "b"]]),
        ("a,", [["a", ""]]),
        (",\n", [["", ""]]),
        ("\n\r\n\na\n\n", [["a"]]),
        ("\"\"\n", [[""]]),
        ("\"a,b\",\"c\"\"d\"\n", [["a,b", "c\"d"]]),
        ("\"a\nb\r\nc\",d\n", [["a\nb\r\nc", "d"]]),
        ("\u{FEFF}a,b\n", [["a", "b"]]),
        (" a , b \n", [[" a ", " b "]]),
        ("ä,ö\n", [["ä", "ö"]]),
        ("a\r", [["a"]]),
    ]

    @Test(arguments: cases, [1, 2, 3, 65_536])
    func rowsAreTheSameHoweverTheBytesArrive(_ example: (String, [[String]]), _ size: Int) {
        #expect(rows(example.0, pieces: size) == example.1)
    }

    @Test(arguments: [
        ("a\nb\"c\nd\n", "2: a quote inside a field that does not begin with one"),
        ("a\n\"b\"c\nd\n", "2: text behind the closing quote of a field"),
        ("a\nb\rc\nd\n", "2: a carriage return without a line feed"),
    ])
    func aBadLineIsNamedAndTheNextOneIsRead(_ text: String, _ message: String) {
        #expect(rows(text) == [["a"], [message], ["d"]])
        #expect(rows(text, pieces: 1) == [["a"], [message], ["d"]])
    }

    @Test func aQuotedFieldThatNeverEndsIsNamedByItsFirstLine() {
        #expect(rows("a\n\"b\nc\n") == [["a"], ["2: a quoted field that never ends"]])
    }

    @Test func invalidUTF8IsAnErrorOfItsLine() throws {
        var reader = CSVRowReader()
        reader.append(Array("a\n".utf8) + [0xFF, 0x0A] + Array("b\n".utf8))
        #expect(try reader.next()?.fields == ["a"])
        #expect(throws: LineError(line: 2, "the text is not valid UTF-8")) {
            _ = try reader.next()
        }
        #expect(try reader.next()?.fields == ["b"])
    }

    @Test func linesInsideQuotesCount() throws {
        var reader = CSVRowReader()
        reader.append(Array("h\n\"1\n2\"\nx\n".utf8))
        let lines = [try reader.next()?.line, try reader.next()?.line, try reader.next()?.line]
        #expect(lines == [1, 2, 4])
    }

    @Test func emptyFieldsAreAbsentAndNamesComeFromTheHeader() throws {
        var reader = CSVRecordReader()
        reader.append(Array("id,name,note\n1,,\"\"\n2,b,c\n".utf8))
        let first = try #require(try reader.next())
        #expect(first.line == 2)
        #expect(first.fields.map(\.name) == ["id"])
        let second = try #require(try reader.next())
        #expect(second.fields.map(\.text) == ["2", "b", "c"])
    }

    @Test(arguments: [
        ("a,b\n1\n", 2, "the row has 1 fields where the header has 2"),
        ("a,b\n1,2,3\n", 2, "the row has 3 fields where the header has 2"),
        ("a,\n1,2\n", 1, "column 2 of the header has no name"),
        ("a,a\n1,2\n", 1, "the header has two columns of one name"),
    ])
    func aRaggedRowOrBadHeaderIsAnError(_ text: String, _ line: Int, _ message: String) {
        var reader = CSVRecordReader()
        reader.append(Array(text.utf8))
        #expect(throws: LineError(line: line, message)) { _ = try reader.next() }
    }

    @Test(arguments: [
        ["a", "b"], ["", "x"], ["a,b", "c\"d"], ["line\nline", "cr\r"], [" a", "b "],
        ["ü", "e\u{301}"],
    ])
    func whatIsWrittenReadsBack(_ fields: [String]) throws {
        var bytes: [UInt8] = []
        CSVWriter.append(fields, to: &bytes)
        var reader = CSVRowReader()
        reader.append(bytes)
        let row = try #require(try reader.next())
        #expect(row.fields.map { Array($0.utf8) } == fields.map { Array($0.utf8) })
    }

    @Test func absentAndEmptyFieldsAreWrittenApart() {
        var bytes: [UInt8] = []
        CSVWriter.append([nil, "", "a"], to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == ",\"\",a\n")
    }
}
