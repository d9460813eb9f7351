import Holdfast
import HoldfastCommand
import Testing

struct ExportTests {
    private let hold: Hold

    init() throws { hold = try Hold() }

    private func importText(_ text: String) throws {
        let outcome = try hold.run(["import", hold.store, "t", "-"], input: Array(text.utf8))
        #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    }

    static let lines = [
        #"{"id":"a","zero":-0.0,"one":1.0,"e":1e300,"min":-9223372036854775808}"#,
        #"{"id":"b","max":9223372036854775807,"tiny":5e-324,"t":true,"n":null}"#,
        #"{"id":"c","text":"\"\\\b\f\n\r\té€😀 ","nested":{"z":[],"a":{}}}"#,
        #"{"z":1,"a":2,"id":"d","":"empty name"}"#,
    ]

    @Test func whatWasImportedComesBackByteForByte() throws {
        try importText(Self.lines.joined(separator: "\n"))
        #expect(try hold.run("export", hold.store, "t").lines == Self.lines)
    }

    @Test func escapesAndNumbersComeBackAsEqualValues() throws {
        let line = #"{"id":"\u0041","s":"\ud83d\ude00\/","d":1.50e1,"z":-0}"#
        try importText(line)
        let exported = try hold.run("export", hold.store, "t").lines
        #expect(exported == [#"{"id":"A","s":"😀/","d":15.0,"z":-0.0}"#])
    }

    @Test func recordsComeInTheByteOrderOfTheirIDs() throws {
        try importText(
            ["é", "z", "a", "10", "9", "B"].map { #"{"id":"\#($0)"}"# }.joined(separator: "\n")
        )
        let exported = try hold.run("export", hold.store, "t").lines
        #expect(exported == ["10", "9", "B", "a", "z", "é"].map { #"{"id":"\#($0)"}"# })
    }

    @Test func aJSONArrayReadsBackAsOne() throws {
        try importText(Self.lines.joined(separator: "\n"))
        let text = try hold.run("export", hold.store, "t", "--format", "json").output
        let file = try hold.file("again.json", text)
        #expect(try hold.run("import", hold.path("other"), "t", file).ending == .exited(0))
        #expect(try hold.run("export", hold.path("other"), "t").lines == Self.lines)
        guard case .array(let elements) = try JSONValue(parsing: text) else {
            Issue.record("not an array")
            return
        }
        #expect(elements.count == Self.lines.count)
    }

    @Test func csvHasTheUnionOfFieldsAndNestedValuesAsJSON() throws {
        try importText(
            """
            {"id":"1","a":"x","o":{"k":[1,2]}}
            {"id":"2","b":"say \\"hi\\", ok","a":""}
            {"id":"3","n":1.0,"t":true,"b":"line\\nbreak"}
            """
        )
        let outcome = try hold.run("export", hold.store, "t", "--format", "csv")
        #expect(
            outcome.output == """
                id,a,o,b,n,t
                1,x,"{""k"":[1,2]}",,,
                2,"",,"say ""hi"", ok",,
                3,,,"line
                break",1.0,true

                """
        )
    }

    @Test func namesThatDifferInBytesAreColumnsOfTheirOwn() throws {
        try importText("{\"id\":\"1\",\"\u{E9}\":1}\n{\"id\":\"2\",\"e\u{301}\":2}\n")
        let outcome = try hold.run("export", hold.store, "t", "--format", "csv")
        #expect(Array(outcome.output.utf8) == Array("id,\u{E9},e\u{301}\n1,1,\n2,,2\n".utf8))
    }

    @Test func csvRefusesAnEmptyFieldNameThatImportWouldRefuse() throws {
        try importText(#"{"id":1,"":2}"#)
        let outcome = try hold.run("export", hold.store, "t", "--format", "csv")
        #expect(outcome.ending == .exited(1))
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("empty name"))
        #expect(try hold.run("export", hold.store, "t").lines == [#"{"id":1,"":2}"#])
    }

    @Test func aRecordAsDeepAsItMayBeComesBackInEveryForm() throws {
        let deepest = #"{"id":1,"a":"# + nested(128) + "}"
        try importText(deepest)
        #expect(try hold.run("get", hold.store, "t", "1").lines == [deepest])
        #expect(try hold.run("export", hold.store, "t").lines == [deepest])
        #expect(
            try hold.run("export", hold.store).lines == [#"{"table":"t","record":\#(deepest)}"#]
        )
        let array = try hold.run("export", hold.store, "t", "--format", "json").output
        let file = try hold.file("deep.json", array)
        #expect(try hold.run("import", hold.path("other"), "t", file).ending == .exited(0))
        #expect(try hold.run("export", hold.path("other"), "t").lines == [deepest])
    }

    @Test func aRecordThatIsOneLevelTooDeepIsRefusedInEveryForm() throws {
        let tooDeep = #"{"id":1,"a":"# + nested(129) + "}"
        #expect(try hold.run("put", hold.store, "t", tooDeep).ending == .exited(64))
        for (name, text) in [("a.jsonl", tooDeep), ("a.json", "[\(tooDeep)]")] {
            let outcome = try hold.run("import", hold.store, "t", try hold.file(name, text))
            #expect(outcome.ending == .exited(1))
            #expect(outcome.errors.contains("deeper than 128 levels"))
        }
    }

    private func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    @Test func anEmptyTableIsAnEmptyExport() throws {
        try importText(#"{"id":1}"#)
        _ = try hold.run("delete", hold.store, "t", "1")
        #expect(try hold.run("export", hold.store, "t").output.isEmpty)
        #expect(try hold.run("export", hold.store, "t", "--format", "json").output == "[]\n")
        #expect(try hold.run("export", hold.store, "t", "--format", "csv").output.isEmpty)
    }

    @Test func aTableThatIsNotThereIsAnError() throws {
        try importText(#"{"id":1}"#)
        let outcome = try hold.run("export", hold.store, "u")
        #expect(outcome.ending == .exited(1))
        #expect(outcome.output.isEmpty)
    }
}
